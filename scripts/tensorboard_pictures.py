"""Makes the pictures of scripts/tensorboard_shots.mjs small and part of the guide's page "Watching a training": 32 colours, and as data in a
Markdown file, because rustdoc has no files beside its pages.

    venv/bin/python scripts/tensorboard_pictures.py FOLDER
"""

import base64
import sys
from pathlib import Path

from PIL import Image

IMAGES = Path(__file__).parent.parent / "graph-runtime/src/guide/images"

# For each picture: the part of the window that is kept (left, upper, right, lower).
PARTS = {"scalars": (0, 64, 1040, 535), "graph": (320, 64, 1280, 600)}


def main(folder):
    lines = []
    for name, part in PARTS.items():
        picture = Image.open(folder / f"{name}.png").convert("RGB").crop(part)
        path = IMAGES / f"{name}.png"
        picture.quantize(32).save(path, optimize=True)
        data = base64.b64encode(path.read_bytes()).decode()
        lines.append(f"[{name}]: data:image/png;base64,{data}")
        print(f"{path.name}: {path.stat().st_size // 1024} KiB")
    (IMAGES / "watching.md").write_text("\n".join(lines) + "\n")


main(Path(sys.argv[1]))
