"""How strong: policies, trained players, networks."""
