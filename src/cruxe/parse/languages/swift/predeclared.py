"""Predeclared names of Swift: available in every file without an import."""

from typing import Final

_TYPES: Final = """
    Any AnyObject Bool Character Double Float Int Int8 Int16 Int32 Int64 Never Self String Substring
    UInt UInt8 UInt16 UInt32 UInt64 Void
"""
# Attributes of the compiler; those that name property wrappers and macros are references.
_ATTRIBUTES: Final = """
    IBAction IBDesignable IBInspectable IBOutlet NSApplicationMain NSManaged UIApplicationMain
    _alwaysEmitIntoClient _disfavoredOverload _exported _implementationOnly _marker _spi
    _transparent attached autoclosure available backDeployed convention derivative discardableResult
    dynamicCallable dynamicMemberLookup escaping freestanding frozen inlinable inline
    nonobjc objc objcMembers preconcurrency propertyWrapper resultBuilder rethrows retroactive
    testable unchecked unknown usableFromInline
"""
_VALUES: Final = "_ nil self super newValue oldValue error true false $0 $1 $2 $3"

PREDECLARED: Final = frozenset(f"{_TYPES} {_ATTRIBUTES} {_VALUES}".split())
