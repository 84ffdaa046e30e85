"""Drawing: boards as SVG, the SVG as pixels, the pixels in a window."""
