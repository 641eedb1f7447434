/** Templates of blocks. The content of a book is passed to them as content and strings. */
export const BLOCKS = String.raw`
#let anchor(target) = if target != none [#metadata(none)#target]

#let out(url, body) = link(url, text(fill: accent, body))
#let plain-link(url, body) = link(url, body)
#let jump(name, body) = if name in unplaced { body } else { link("place:" + name, text(fill: accent, body)) }

#let colors = (
  green: rgb("#1a7f4b"), blue: rgb("#1f5fa8"), red: rgb("#c02b2b"), orange: rgb("#b85c00"), yellow: rgb("#8a6d00"),
  purple: rgb("#7138b0"),
  "$primary": accent, "$info": rgb("#1f5fa8"), "$success": rgb("#1a7f4b"), "$warning": rgb("#b85c00"),
  "$danger": rgb("#c02b2b"),
)
#let tint(color, background, body) = {
  let fill = colors.at(color, default: none)
  let behind = colors.at(background, default: none)
  let shown = if fill == none { body } else { text(fill: fill, body) }
  if behind == none { shown } else { highlight(fill: behind.lighten(82%), extent: 1pt, radius: 1.5pt, shown) }
}
#let kbd(body) = h(1pt) + box(
  stroke: 0.5pt + rgb("#b4bdc8"), radius: 2.5pt, inset: (x: 3.5pt), outset: (y: 2.2pt),
  text(font: code-font, size: 0.82em, body),
) + h(1pt)
#let button(primary, body) = box(
  fill: if primary { accent } else { white }, stroke: 0.6pt + accent, radius: 3pt, inset: (x: 7pt), outset: (y: 4pt),
  text(fill: if primary { white } else { accent }, weight: 600, size: 0.9em, body),
)
#let chip(body) = box(
  fill: rgb("#e8edf3"), radius: 2.5pt, inset: (x: 4.5pt), outset: (y: 2pt), text(size: 0.85em, body),
)
#let missing(body) = box(
  stroke: (paint: rgb("#b4bdc8"), thickness: 0.5pt, dash: "dashed"), radius: 2pt, inset: (x: 4pt), outset: (y: 2.5pt),
  text(fill: muted, style: "italic", body),
)
#let divider = block(above: 1.5em, below: 1.5em, width: 100%, align(center, std.line(length: 30%, stroke: 0.7pt + line)))

// Beside the first line, and part of it: so the two are never on different pages.
#let beside(dx, dy, body) = box(width: 0pt, height: 0pt, place(start, dx: if is-rtl { -dx } else { dx }, dy: dy, body))
#let tick(size) = box(width: size, height: size, place(std.curve(
  stroke: (paint: white, thickness: 1.1pt, cap: "round", join: "round"),
  std.curve.move((0.2 * size, 0.52 * size)), std.curve.line((0.42 * size, 0.74 * size)), std.curve.line((0.8 * size, 0.28 * size)),
)))
#let checkbox(done) = box(baseline: 0.12em, width: 0.85em, height: 0.85em, radius: 1.5pt,
  stroke: 0.7pt + if done { accent } else { muted }, fill: if done { accent } else { none },
  if done { place(tick(0.85em)) },
)
#let tasks(..items) = list(marker: none, body-indent: 0pt, tight: true, ..items.pos().map(((done, body)) =>
  block(inset: sided(1.5em), beside(-1.5em, -0.78em, checkbox(done)) + body)))
#let rating(filled, max) = {
  let dot(on) = box(circle(radius: 0.3em, stroke: 0.6pt + accent, fill: if on { accent } else { none }))
  range(max).map(index => dot(index < filled)).join(h(0.2em))
}

#show quote.where(block: true): it => block(
  width: 100%, stroke: sided(2pt + line), inset: sided(12pt, y: 2pt), text(fill: muted, it.body),
)

#let hints = (
  info: (rgb("#1f5fa8"), "i"), success: (rgb("#1a7f4b"), tick(0.9em)), warning: (rgb("#b85c00"), "!"), danger: (rgb("#c02b2b"), "×"),
)
#let badge(color, sign) = box(
  width: 1.25em, height: 1.25em, radius: 50%, fill: color,
  align(center + horizon, text(size: 0.85em, weight: 700, fill: white, top-edge: "cap-height", bottom-edge: "baseline", sign)),
)
#let sign(style) = beside(-21pt, -0.98em, badge(..hints.at(style)))
#let hint(style, body) = {
  let (color, _) = hints.at(style)
  block(
    width: 100%, fill: color.lighten(92%), stroke: sided(2.5pt + color), radius: if is-rtl { (left: 3pt) } else { (right: 3pt) },
    inset: (x: 12pt, y: 10pt) + sided(31pt), above: 1.2em, below: 1.2em,
    body,
  )
}

#let tabs(..items) = block(width: 100%, stroke: 0.6pt + line, radius: 3pt, above: 1.2em, below: 1.2em, inset: 0pt, {
  for (index, (target, title, body)) in items.pos().enumerate() {
    block(
      width: 100%, fill: tinted, inset: (x: 12pt, y: 6.5pt), above: 0pt, below: 0pt, sticky: true,
      stroke: (top: if index > 0 { 0.6pt + line }, bottom: 0.6pt + line),
      { anchor(target); text(weight: 600, size: 0.95em, title) },
    )
    block(width: 100%, inset: (x: 12pt, y: 10pt), above: 0pt, below: 0pt, body)
  }
})

#let step(number) = beside(-30pt, -13.5pt, box(width: 19pt, height: 19pt, radius: 50%, stroke: 0.9pt + accent, align(
  center + horizon,
  text(size: 9pt, weight: 600, fill: accent, top-edge: "cap-height", bottom-edge: "baseline", str(number)),
)))
#let steps(..items) = block(width: 100%, above: 1.2em, below: 1.2em, {
  let all = items.pos()
  for (index, body) in all.enumerate() {
    block(
      width: 100%, above: 0pt, below: 0pt, inset: sided(30pt, bottom: if index + 1 < all.len() { 14pt } else { 0pt }),
      body,
    )
  }
})

#let expandable(target, title, body) = block(
  width: 100%, above: 1.1em, below: 1.1em, stroke: (top: 0.6pt + line, bottom: 0.6pt + line), inset: sided(16pt, y: 8pt),
  {
    block(above: 0pt, below: 0.7em, sticky: true, {
      anchor(target)
      beside(-14pt, -0.5em, polygon(fill: muted, (0pt, 0pt), (7pt, 0pt), (3.5pt, 4.5pt)))
      text(weight: 600, title)
    })
    body
  },
)

#let framed(title, body) = block(width: 100%, stroke: 0.6pt + line, radius: 3pt, inset: (x: 12pt, y: 10pt), {
  block(below: 0.8em, sticky: true, text(weight: 600, title))
  body
})
#let update(date, tags, body) = block(width: 100%, above: 1.6em, {
  block(below: 0.9em, sticky: true, text(size: 0.9em, weight: 600, fill: muted, date) + h(0.7em) + tags)
  body
})

#let card(title, note, below) = block(
  width: 100%, stroke: 0.6pt + line, radius: 3pt, inset: (x: 12pt, y: 9pt), breakable: false,
  {
    block(above: 0pt, below: 0pt, text(weight: 600, title))
    if note != [] { block(above: 0.6em, below: 0pt, text(size: 0.85em, fill: muted, note)) }
    if below != [] { block(above: 0.7em, below: 0pt, text(size: 0.9em, below)) }
  },
)
#let methods = (GET: "blue", POST: "green", PUT: "orange", PATCH: "orange", DELETE: "red")
#let endpoint(method, path, note) = block(
  width: 100%, fill: tinted, stroke: 0.6pt + line, radius: 3pt, inset: (x: 12pt, y: 9pt), breakable: false,
  {
    let color = colors.at(methods.at(method, default: "purple"))
    set text(font: code-font, size: 9.5pt)
    if method != "" { box(fill: color, radius: 2.5pt, inset: (x: 5pt), outset: (y: 3pt), text(fill: white, weight: 700, size: 8.5pt, method)) + h(0.8em) }
    text(path)
    if note != [] { block(above: 0.8em, below: 0pt, text(font: text-font, size: 8.8pt, fill: muted, note)) }
  },
)

// Line numbers have their own column; long lines wrap, indented.
#let keyword(body) = text(fill: rgb("#8a2fa0"), body)
#let string(body) = text(fill: rgb("#1a7340"), body)
#let comment(body) = text(fill: rgb("#6b7683"), style: "italic", body)
#let number(body) = text(fill: rgb("#a3510a"), body)
#let name(body) = text(fill: rgb("#1f5fa8"), body)
// Code runs from left to right in every language.
#let code(title, numbered, source, ..items) = block(width: 100%, above: 1.1em, below: 1.1em, {
  set text(dir: ltr)
  set align(left)
  if title != [] {
    block(
      width: 100%, fill: rgb("#e8edf3"), radius: (top: 3pt), inset: (x: 10pt, y: 5.5pt), above: 0pt, below: 0pt, sticky: true,
      text(font: code-font, size: 8.3pt, fill: muted, title),
    )
  }
  show raw.where(block: true): {
    let all = items.pos()
    set par(leading: 0.5em, spacing: 0.5em, hanging-indent: 1.6em)
    let width = 0.62em * str(all.len()).len()
    for (index, (marked, body)) in all.enumerate() {
      let shown = if body == [] { "\u{200b}" } else { body }
      let line = if numbered {
        h(-width - 10pt) + box(width: width, align(right, text(fill: rgb("#98a3b0"), str(index + 1)))) + h(10pt) + shown
      } else { shown }
      if marked {
        block(width: 100%, fill: rgb("#fff3c9"), outset: (x: 10pt, y: 0.25em), above: 0.5em, below: 0.5em, par(line))
      } else { par(line) }
    }
  }
  let gutter = if numbered { 0.62em * 0.85 * str(items.pos().len()).len() + 18pt } else { 0pt }
  block(
    width: 100%, fill: tinted, radius: if title == [] { 3pt } else { (bottom: 3pt) }, above: 0pt, below: 0pt,
    inset: (left: 10pt + gutter, right: 10pt, y: 8.5pt), raw(block: true, source),
  )
})

#let rows(headed, widths, aligns, ..cells) = {
  set text(size: 9.5pt)
  set par(leading: 0.5em, spacing: 0.7em)
  show table.cell.where(y: 0): set text(weight: if headed { 600 } else { 400 })
  block(width: 100%, above: 1.2em, below: 1.2em, table(
    columns: widths, align: aligns, inset: (x: 7pt, y: 5.5pt),
    fill: (x, y) => if headed and y == 0 { tinted },
    stroke: (x, y) => (bottom: 0.6pt + line, top: if y == 0 { 0.6pt + line }),
    ..cells,
  ))
}
#let cards(..items) = block(width: 100%, above: 1.2em, below: 1.2em, grid(
  columns: (1fr, 1fr), gutter: 10pt, inset: 10pt,
  ..items.pos().map(((cover, body)) => grid.cell(breakable: false, stroke: 0.6pt + line, { cover; body })),
))

// An image that cannot be read is named from outside: nothing can be caught here.
#let unreadable = sys.inputs.at("unreadable", default: "").split("\n")
#let readable(path) = path not in unreadable
#let alternative(alt) = missing(if alt == "" [Image] else { text(alt) })
#let picture(path, alt, width, height, framed) = if not readable(path) { alternative(alt) } else {
  layout(size => {
    // Pixels of a screen are three quarters of a point. No image is larger than a page.
    let natural = measure(image(path))
    let wanted = if width == auto { if height == auto { natural.width * 0.75 } else { natural.width / natural.height * height.to-absolute() } }
      else if type(width) == ratio { width * size.width } else { width.to-absolute() }
    let tall = natural.height / natural.width
    let fitting = calc.min(wanted, size.width, 170mm / tall)
    box(
      stroke: if framed { 0.6pt + line }, radius: 3pt, clip: true,
      image(path, width: fitting, alt: if alt == "" { none } else { alt }),
    )
  })
}
#let line-picture(path, alt) = if readable(path) { box(baseline: 0.2em, image(path, height: 1.15em, alt: alt)) } else { alternative(alt) }
#let inline-picture(path, alt) = if readable(path) {
  box(layout(size => image(path, width: calc.min(measure(image(path)).width * 0.75, size.width), alt: alt)))
} else { alternative(alt) }
#let figure-of(body, caption) = block(breakable: false, above: 1.2em, below: 1.2em, {
  body
  if caption != [] { block(above: 0.7em, below: 0pt, text(size: 0.86em, fill: muted, caption)) }
})

// A formula that is wider than the page is made smaller.
#let equation(block, alt, it) = {
  let shown = math.equation(block: block, alt: alt, it.body)
  if not block { shown } else {
    layout(size => {
      let width = measure(shown).width
      if width <= size.width { shown } else { scale(size.width / width * 100%, reflow: true, shown) }
    })
  }
}
`;
