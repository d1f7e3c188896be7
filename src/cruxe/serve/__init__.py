"""The ways in, and the one place that turns failures into envelopes for all of them."""
