"""Secrets in signatures: what has the look of a plain name is searched too."""

import pytest

from cruxe.config.settings import SecuritySettings
from cruxe.respond.signatures import redacted_signature


@pytest.mark.parametrize("value", ["78312_fALnUxKv_4783_AzvKWKyY", "xXXJmCCN-nxpXvmJQ-TNoKu-61-Wb"])
def test_a_value_goes_whose_parts_have_letters_or_digits_alone(value: str) -> None:
    redacted = redacted_signature(f"db_secret: {value}", SecuritySettings())

    assert redacted.startswith("db_secret: [REDACTED")
    assert value not in redacted


def test_a_name_that_ends_in_a_number_stays() -> None:
    signature = "def test_read_0042(self) -> None"

    assert redacted_signature(signature, SecuritySettings()) == signature
