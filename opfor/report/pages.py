"""Pages that need nothing else: a template of a package filled in, with the look that the pages of results have in common."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def page(package: str, template: str, **values: Any) -> str:
    """A package's template (``templates/NAME.html.j2``) as HTML. What is no markup is escaped; ``style`` is the common look."""
    from jinja2 import Environment
    from markupsafe import Markup

    source = files(package).joinpath("templates").joinpath(f"{template}.html.j2").read_text(encoding="utf-8")
    style = files("opfor.report").joinpath("page_style.css.j2").read_text(encoding="utf-8")
    filled = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    return filled.render(style=Markup(style), **values)
