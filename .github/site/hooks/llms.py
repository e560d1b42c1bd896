"""Files for coding assistants: llms.txt lists the pages, each of which is there as Markdown too; SKILL.md is the skill."""

import shutil
from pathlib import Path


def build(root: Path, site: Path, config):
    pass
