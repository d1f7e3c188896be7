"""Turn outcomes into answers for the wire. Selects no results and changes no order."""
