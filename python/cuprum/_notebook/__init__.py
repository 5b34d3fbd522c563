"""What notebooks and IPython show and call: pictures of arrays, and timing."""
