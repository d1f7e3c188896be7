"""What a query with operators demands: of the index by terms, of a text by its very characters."""

from cruxe.query.understand.operators import AllOf, AnyOf, Node, Not, Phrase, Word
from cruxe.store.conditions import Condition, Every, Holds, Lacks, Some
from cruxe.text.identifiers import terms_of_text


def condition_of(node: Node) -> Condition | None:
    """What the index can check; nothing where only the text can tell.

    It never rules out a chunk that satisfies the demand: terms are stems, and a phrase is at
    least all its terms.
    """
    if isinstance(node, Phrase | Word):
        terms = terms_of_text(node.text).split()
        return Every(tuple(Holds("text", term) for term in terms)) if terms else None
    if isinstance(node, Not):
        # A phrase that must not occur may have its words elsewhere in the chunk.
        inner = None if needs_text(node.operand) else condition_of(node.operand)
        return None if inner is None else Lacks(inner)
    conditions = [condition_of(operand) for operand in node.operands]
    known = tuple(each for each in conditions if each is not None)
    if isinstance(node, AllOf):
        return Every(known) if known else None
    return Some(known) if known and len(known) == len(conditions) else None


def needs_text(node: Node) -> bool:
    """Whether a demand holds phrases, which only the text can satisfy."""
    if isinstance(node, Phrase):
        return True
    if isinstance(node, Not):
        return needs_text(node.operand)
    return isinstance(node, AllOf | AnyOf) and any(map(needs_text, node.operands))


def is_satisfied(node: Node, text: str) -> bool:
    """Whether a text meets a demand; phrases in any case, words by their terms."""
    if isinstance(node, Phrase):
        return node.text.casefold() in text.casefold()
    if isinstance(node, Word):
        return set(terms_of_text(node.text).split()) <= set(terms_of_text(text).split())
    if isinstance(node, Not):
        return not is_satisfied(node.operand, text)
    if isinstance(node, AllOf):
        return all(is_satisfied(operand, text) for operand in node.operands)
    return any(is_satisfied(operand, text) for operand in node.operands)
