"""From outcomes to what goes over the wire. Chooses no results and changes no order."""
