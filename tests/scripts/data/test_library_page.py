from scripts.data import library_page


def test_the_page_is_of_this_library():
    library_page.main(["--check"])
