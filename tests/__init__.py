"""The tests of Cruxe; `tests/requirements.py` lists what they hold it to."""
