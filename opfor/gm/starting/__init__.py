"""Beginning a battle: forces, deployment, typed lists, drawn battles, checks."""
