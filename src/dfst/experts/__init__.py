"""The teachers: machines that are right, as named recipes."""
