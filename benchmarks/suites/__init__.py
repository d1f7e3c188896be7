"""What is measured: one module or folder a suite."""
