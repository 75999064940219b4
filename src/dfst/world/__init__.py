"""What exists without any learning: alphabets, moves, the grid, machines and their files."""
