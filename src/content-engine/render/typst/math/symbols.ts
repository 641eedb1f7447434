/** Commands of LaTeX that are one character, as pairs. */
const PAIRS = `
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν
xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ wedge ∧ land ∧
vee ∨ lor ∨ cap ∩ cup ∪ setminus ∖ uplus ⊎ sqcap ⊓ sqcup ⊔ dagger † ddagger ‡ amalg ⨿ wr ≀ diamond ⋄
leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ equiv ≡ approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯ succeq ⪰
subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ notin ∉ ni ∋ vdash ⊢ dashv ⊣
models ⊨ perp ⟂ mid ∣ nmid ∤ parallel ∥ asymp ≍ doteq ≐ lesssim ≲ gtrsim ≳ leqslant ⩽ geqslant ⩾ coloneqq ≔
to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ impliedby ⟸ iff ⟺
longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺ mapsto ↦
longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ rightharpoonup ⇀ rightharpoondown ⇁ leftharpoonup ↼ leftharpoondown ↽
rightleftharpoons ⇌ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ nearrow ↗ searrow ↘ swarrow ↙
nwarrow ↖ leadsto ⇝
infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ emptyset ∅ varnothing ∅ aleph ℵ beth ℶ hbar ℏ ell ℓ
imath ı jmath ȷ wp ℘ Re ℜ Im ℑ angle ∠ measuredangle ∡ triangle △ square □ blacksquare ■ top ⊤ bot ⊥ prime ′ degree °
sharp ♯ flat ♭ natural ♮ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ checkmark ✓ surd √ S § P ¶ copyright ©
ldots … dots … dotsc … dotsb ⋯ cdots ⋯ vdots ⋮ ddots ⋱ therefore ∴ because ∵ colon : backslash \\ lbrace { rbrace }
sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀
biguplus ⨄ bigsqcup ⨆
langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lvert | rvert | vert | lVert ‖ rVert ‖ Vert ‖ lbrack [ rbrack ]
`;

const listed = PAIRS.trim().split(/\s+/);

export const SYMBOLS: ReadonlyMap<string, string> = new Map(
  listed.flatMap((name, index) => (index % 2 === 0 ? [[name, listed[index + 1] as string] as const] : [])),
);

/** Functions that are written upright; Typst knows them by the same names. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min ' +
    'Pr sec sin sinh sup tan tanh'
  ).split(' '),
);

/** Commands with one argument, and the function of Typst that does the same. */
export const CALLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sqrt: 'sqrt',
    hat: 'hat',
    widehat: 'hat',
    tilde: 'tilde',
    widetilde: 'tilde',
    bar: 'macron',
    vec: 'arrow',
    overrightarrow: 'arrow',
    dot: 'dot',
    ddot: 'dot.double',
    acute: 'acute',
    grave: 'grave',
    check: 'caron',
    breve: 'breve',
    overline: 'overline',
    underline: 'underline',
    overbrace: 'overbrace',
    underbrace: 'underbrace',
    mathbf: 'bold',
    boldsymbol: 'bold',
    bm: 'bold',
    mathit: 'italic',
    mathrm: 'upright',
    mathbb: 'bb',
    mathcal: 'cal',
    mathscr: 'scr',
    mathfrak: 'frak',
    mathsf: 'sans',
    mathtt: 'mono',
  }),
);

/** Spaces, in the words of Typst. */
export const SPACES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ',': 'thin',
    ':': 'med',
    '>': 'med',
    ';': 'thick',
    '!': '#h(-0.17em)',
    ' ': 'space',
    quad: 'quad',
    qquad: 'wide',
    enspace: 'quad',
    thinspace: 'thin',
  }),
);

/** Commands that change nothing on paper, or nothing that matters. */
export const IGNORED: ReadonlySet<string> = new Set(
  (
    'displaystyle textstyle scriptstyle limits nolimits nonumber notag big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr ' +
    'Biggl Biggr bigm left. right. hline'
  ).split(' '),
);

/** Matrices, and what stands around them. */
export const MATRICES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    matrix: '#none',
    smallmatrix: '#none',
    array: '#none',
    pmatrix: '"("',
    bmatrix: '"["',
    Bmatrix: '"{"',
    vmatrix: '"|"',
    Vmatrix: '"‖"',
  }),
);

/** Environments whose lines stand below each other. */
export const LINES: ReadonlySet<string> = new Set(
  'align align* aligned alignat alignat* alignedat gather gather* gathered split equation equation* multline multline*'.split(
    ' ',
  ),
);
