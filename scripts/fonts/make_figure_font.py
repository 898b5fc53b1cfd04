"""Makes the font of exported figures: web/export/font/{regular,semibold}.json.

    bash scripts/setup.sh --train
    python3 scripts/fonts/make_figure_font.py

Each file has one weight of Inter (https://rsms.me/inter, SIL Open Font License 1.1, which comes with
the files) as a subset: `woff2`, base64, for laying a figure out, and `glyphs`, the outlines of the same
letters for programs that read no fonts inside SVG. Features are dropped, so that the width of a text
is the sum of its letters' in every program; digits are the tabular ones.
"""

import base64
import io
import json
from pathlib import Path

from fontTools import subset
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

SOURCE = Path("/usr/share/fonts/opentype/inter")
TARGET = Path(__file__).parents[2] / "web/export/font"
WEIGHTS = {"regular": "Inter-Regular.otf", "semibold": "Inter-SemiBold.otf"}
FAMILY = "bertscope figure"

# Units of an em in the outlines.
EM = 1000

# Latin, Greek, Cyrillic; punctuation, arrows and what formulas need; the marks of word pieces.
RANGES = [(0x20, 0x7E), (0xA0, 0x17F), (0x218, 0x21B), (0x384, 0x3CE), (0x400, 0x45F), (0x1E80, 0x1E85)]
SINGLE = "–—‘’‚“”„†‡•…‰′″‹›⁄⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉€™←↑→↓∂∆∏∑−√∞∫≈≠≤≥▁■□▲▶▼◀●○✓�"


def main():
    for name, file in WEIGHTS.items():
        font = TTFont(SOURCE / file)
        use_tabular_digits(font)
        keep(font, [chr(c) for first, last in RANGES for c in range(first, last + 1)] + list(SINGLE))
        rename(font)
        made = {
            "woff2": base64.b64encode(as_woff2(font)).decode(),
            **metrics(font),
            "glyphs": outlines(font),
        }
        path = TARGET / f"{name}.json"
        path.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")) + "\n")
        print(f"{path.name}: {len(made['glyphs'])} characters, {path.stat().st_size} bytes")


def use_tabular_digits(font):
    """Columns of numbers stand below each other without a feature that a program may not know."""
    substitutions = font["GSUB"].table
    tabular = {}
    for feature in substitutions.FeatureList.FeatureRecord:
        if feature.FeatureTag == "tnum":
            for index in feature.Feature.LookupListIndex:
                for table in substitutions.LookupList.Lookup[index].SubTable:
                    tabular.update(getattr(table, "ExtSubTable", table).mapping)
    for table in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            if code in table.cmap:
                # Tables may share what they map.
                table.cmap[code] = tabular.get(table.cmap[code], table.cmap[code])


def keep(font, characters):
    options = subset.Options(layout_features=[], notdef_outline=True, hinting=False, name_IDs=[0, 13, 14])
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "kern", "DSIG"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(characters))
    subsetter.subset(font)


def rename(font):
    names = font["name"]
    for number, text in [(1, FAMILY), (2, "Regular"), (4, FAMILY), (6, FAMILY.replace(" ", "-"))]:
        names.setName(text, number, 3, 1, 0x409)


def as_woff2(font):
    font.flavor = "woff2"
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


def metrics(font):
    scale = EM / font["head"].unitsPerEm
    return {"ascent": round(font["hhea"].ascent * scale), "descent": round(-font["hhea"].descent * scale)}


def outlines(font):
    """By character: its advance and its outline as an SVG path, y pointing down, in 1/1000 em."""
    glyphs, scale = font.getGlyphSet(), EM / font["head"].unitsPerEm
    found = {}
    for code, name in sorted(font.getBestCmap().items()):
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        found[chr(code)] = [round(glyphs[name].width * scale, 1), pen.getCommands()]
    return found


if __name__ == "__main__":
    main()
