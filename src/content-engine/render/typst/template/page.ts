/** Template of a book: paper, type, running heads, titles, contents. It contains no text of users. */
export const PAGE = String.raw`
#let ink = rgb("#1d232b")
#let muted = rgb("#5d6875")
#let accent = rgb("#1f5fa8")
#let line = rgb("#d5dbe2")
#let tinted = rgb("#f4f6f8")
// Scripts that run from right to left; Typst sets the text itself so, by its language.
#let is-rtl = ("ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi").contains(language)
// Lengths or strokes of a box, of which one is where lines begin.
#let sided(at-start, ..others) = (if is-rtl { "right" } else { "left" }: at-start) + others.named()
// The compiler chooses the fonts (platform/pdf/fonts.ts).
#let fallback-fonts = sys.inputs.fallback-fonts.split("\n")
#let text-font = (sys.inputs.text-font,) + fallback-fonts
#let code-font = (sys.inputs.code-font,) + fallback-fonts
#let math-font = (sys.inputs.math-font,) + fallback-fonts

#set page(paper: "a4", margin: (top: 27mm, bottom: 24mm, x: 25mm), header-ascent: 10mm, footer-descent: 9mm)
#set text(font: text-font, size: 10.5pt, fill: ink, lang: language, hyphenate: false)
#set par(leading: 0.62em, spacing: 0.95em, linebreaks: "simple")
#show raw: set text(font: code-font, size: 9pt)
#show math.equation: set text(font: math-font)
#set list(indent: 0.3em, body-indent: 0.65em, marker: ([•], [–], [·]))
#set enum(indent: 0.3em, body-indent: 0.55em)
#set footnote.entry(separator: std.line(length: 25%, stroke: 0.5pt + line), gap: 0.5em)
#show footnote.entry: set text(size: 8.5pt)
#show raw.where(block: false): it => highlight(
  fill: rgb("#eef1f4"), extent: 1.2pt, radius: 2pt, top-edge: 0.95em, bottom-edge: -0.28em, it,
)

// The title of a page is the running head of its sheets, except where the title itself follows.
#let running(head, target) = block(width: 100%, stroke: (bottom: 0.5pt + line), inset: (bottom: 5pt), text(
  size: 8.5pt, fill: muted,
  short-title + h(1fr) + context if target == none or locate(target).page() != here().page() { head },
))
#let numbered(pattern) = context align(end, text(size: 8.5pt, fill: muted, counter(page).display(pattern)))

// One page of the book, on sheets of its own.
#let sheet(head, target, body) = page(header: running(head, target), footer: numbered("1"), {
  if target != none { counter(footnote).update(0) }
  body
})

// Neither outlined nor bookmarked: outline and contents are those of the whole book, which this may be a part of.
#let heading-of(size, weight, above, below, level, target, mark, body) = {
  show heading: it => block(
    above: above, below: below, sticky: true,
    par(leading: 0.45em, mark + text(size: size, weight: weight, fill: ink, it.body)),
  )
  [#heading(level: level, outlined: false, bookmarked: false, body)#target]
}
#let page-title(level, target, body) = heading-of(24pt, 700, 0pt, 14pt, level, target, none, body)
#let page-description(body) = block(below: 18pt, par(text(size: 12.5pt, fill: muted, body)))
#let group-title(level, target, body) = {
  set text(fill: accent)
  show heading: it => block(
    above: 0pt, below: 9pt, sticky: true,
    text(size: 10pt, weight: 600, fill: accent, tracking: 0.06em, it.body),
  )
  [#heading(level: level, outlined: false, bookmarked: false, body)#target]
}
#let section(size, level, target, mark, body) = {
  let (pt, above, below) = ((16pt, 22pt, 9pt), (13pt, 18pt, 8pt), (11pt, 14pt, 6pt)).at(size - 1)
  heading-of(pt, 600, above, below, level, target, mark, body)
}

#let title-page(subtitle, date) = page(header: none, footer: none, margin: (x: 30mm, y: 40mm), {
  v(1fr)
  block(width: 18mm, height: 2.2mm, fill: accent)
  v(4mm)
  show title: set text(size: 34pt, weight: 700)
  set par(leading: 0.4em)
  title(book-title)
  if subtitle != none { v(5mm); text(size: 15pt, fill: muted, subtitle) }
  v(2fr)
  if date != none { text(size: 10.5pt, fill: muted, date) }
})

// Pages before the first one are numbered apart, as their number is known last.
#let contents(entries) = page(header: running(none, none), footer: numbered("i"), {
  set par(leading: 0.5em)
  heading-of(24pt, 700, 0pt, 18pt, 1, none, none, contents-title)
  let dots = box(width: 1fr, inset: (x: 4pt), pdf.artifact(text(fill: rgb("#b4bdc8"), weight: 400, repeat(gap: 3pt)[.])))
  list(marker: none, indent: 0pt, body-indent: 0pt, spacing: 0pt, ..entries.map(((level, target, title, number)) => block(
    width: 100%, inset: (top: if level == 1 { 0.95em } else { 0.65em }) + sided((calc.min(level, 6) - 1) * 1.3em),
    link("place:" + target, text(weight: if level == 1 { 600 } else { 400 }, title) + dots + number),
  )))
})
`;
