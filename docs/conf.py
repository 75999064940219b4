"""How the documentation site is built: sphinx-build -W --keep-going -n docs build/site"""

import os
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # rooms.py and live.py beside this file

project = "dfst"
author = "The dfst authors"
copyright = "The dfst authors"
release = version = installed_version("dfst")

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_copybutton", "rooms", "live"]
smartquotes = False  # q' is not q’
exclude_patterns = ["_build"]
suppress_warnings = ["misc.copy_overwrite"]

# pages: MyST Markdown; the notebook runs while the site is built, and an error in it ends the build
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 900
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"  # libraries grumble there; an error ends the build

# the Python reference
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_use_legacy_class_based = False
python_maximum_signature_line_length = 88
nitpick_ignore_regex = [  # other people's types: their documentation is not at hand when ours is built
    (
        "py:class",
        r"Path|Name|AnyTask|AnyPolicy|AnyTraces|EngineName|Method|Program|Truth|Sees|Symbols|IoTrace",
    ),  # what a name, a path or a record may be given as
    (r"py:.*", r"(numpy|np|jaxtyping|collections|contextlib|pathlib|os)\..*|ndarray|Float|UInt8|Int32|Int64"),
    (r"py:class", r"MealyMachine|SUL|Oracle|(aalpy|pd|pandas)\..*"),
    (r"py:mod", r"dfst\..*"),  # modules are named in prose, and have no page
    (r"py:class", r"dfst\.extraction\.(trie|grow|merge|regular)\..*"),  # what Evidence keeps inside
    (  # what public records hand on to each other
        r"py:class",
        r"dfst\.(act\.floats|act\.own|prove\.rocq|training\.recall|until_proven\.(lasting|looking)|seeds)\..*",
    ),
]

html_theme = "furo"
html_title = "dfst"
html_baseurl = os.environ.get("DFST_SITE", "")  # where the site will be, if that is known
html_static_path = ["_static"]
html_css_files = ["dfst.css"]
html_favicon = "_static/favicon.svg"
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
html_show_sourcelink = False
html_copy_source = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True


def without_last_line(app, docname, source):
    """Blocks of examples end with an empty line, which doctest needs and a reader does not."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def without_notebook_style(app, pagename, templatename, context, doctree):
    """The style of notebooks is as large as everything else on the first page; only notebooks need it."""
    if pagename != "tutorial":
        context["css_files"] = [file for file in context["css_files"] if "mystnb" not in str(file)]


def with_card(app, pagename, templatename, context, doctree):
    """The picture that a link to a page shows; other sites want its whole address."""
    if html_baseurl:
        address = f"{html_baseurl.rstrip('/')}/_static/card.png"
        context["metatags"] = f'{context.get("metatags", "")}<meta property="og:image" content="{address}">'


def setup(app):
    """What Sphinx calls."""
    app.connect("html-page-context", without_notebook_style, priority=900)
    app.connect("html-page-context", with_card)
    app.connect("source-read", without_last_line)
