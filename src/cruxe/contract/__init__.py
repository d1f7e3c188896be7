"""The wire contract: the tools, their requests and results, and the validation of arguments."""
