"""Sphinx's settings for the site. `scripts/site_pages.py` puts the pages together and runs Sphinx on them."""

import importlib.metadata

project = "Cuprum"
author = "Cuprum developers"
project_copyright = "Cuprum developers, Apache License 2.0"
try:
    release = importlib.metadata.version("cuprum")
except importlib.metadata.PackageNotFoundError:
    release = "0.1"

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Comments say what a block of code needs in the tests; they are no part of a page.
exclude_patterns: list[str] = []
highlight_language = "text"
add_module_names = False
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 90
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]

html_theme = "pydata_sphinx_theme"
html_title = "Cuprum"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_favicon = "_static/mark.svg"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "Cuprum", "image_light": "_static/mark.svg", "image_dark": "_static/mark.svg"},
    "show_prev_next": True,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "article_footer_items": [],
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": []}
