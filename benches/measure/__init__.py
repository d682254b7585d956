"""What the side-by-side runs are made of."""
