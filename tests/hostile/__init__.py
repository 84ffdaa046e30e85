"""A folder of files from somebody who means harm, made anew for each test session, and the commands that are run on them."""
