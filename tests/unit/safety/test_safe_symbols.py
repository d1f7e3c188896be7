"""Secrets in names and signatures: what has the look of a plain name is searched too."""

import pytest

from cruxe.config.settings import SecuritySettings
from cruxe.safety.injection_flags import flag_addressed
from cruxe.safety.safe_symbols import flags_of_symbol, redacted_name, redacted_signature
from tests.support.safety_texts import Case, read_cases

SINGLE_LINES = [case for case in read_cases("secrets.txt") if "\n" not in case.text.strip()]


@pytest.mark.parametrize("value", ["78312_fALnUxKv_4783_AzvKWKyY", "xXXJmCCN-nxpXvmJQ-TNoKu-61-Wb"])
def test_a_value_goes_whose_parts_have_letters_or_digits_alone(value: str) -> None:
    redacted = redacted_signature(f"db_secret: {value}", SecuritySettings())

    assert redacted.startswith("db_secret: [REDACTED")
    assert value not in redacted


def test_a_name_that_ends_in_a_number_stays() -> None:
    signature = "def test_read_0042(self) -> None"

    assert redacted_signature(signature, SecuritySettings()) == signature


@pytest.mark.parametrize("case", SINGLE_LINES, ids=lambda case: f"{case.label}: {case.title}")
def test_what_is_a_secret_in_a_text_is_one_in_a_name(case: Case) -> None:
    assert redacted_name(case.text.strip(), SecuritySettings()) == case.redacted.strip()


@pytest.mark.parametrize("case", read_cases("addressed.txt"), ids=lambda case: case.title)
def test_what_is_flagged_in_a_text_is_flagged_in_a_name(case: Case) -> None:
    flags = sorted({each.flag.value for each in flag_addressed(case.text)})

    assert flags_of_symbol(case.text, "") == flags_of_symbol("", case.text) == flags != []
