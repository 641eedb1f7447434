/** Commands that are a single character: name and character, alternating. */
const PAIRS = `
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν
xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ wedge ∧ land ∧
vee ∨ lor ∨ cap ∩ cup ∪ setminus ∖ uplus ⊎ sqcap ⊓ sqcup ⊔ dagger † ddagger ‡ amalg ⨿ wr ≀ diamond ⋄
leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ equiv ≡ approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ prec ≺ succ ≻ preceq ⪯ succeq ⪰
subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ notin ∉ ni ∋ vdash ⊢ dashv ⊣
models ⊨ Vdash ⊩ vDash ⊨ perp ⟂ mid ∣ nmid ∤ parallel ∥ asymp ≍ doteq ≐ lesssim ≲ gtrsim ≳ leqslant ⩽ geqslant ⩾ coloneqq ≔
nleq ≰ ngeq ≱ nless ≮ ngtr ≯ nsubseteq ⊈ nsupseteq ⊉ nparallel ∦ preccurlyeq ≼ succcurlyeq ≽ lessgtr ≶ gtrless ≷ triangleq ≜
vartriangleleft ⊲ vartriangleright ⊳ trianglelefteq ⊴ trianglerighteq ⊵ sqsubset ⊏ sqsupset ⊐ bowtie ⋈ ltimes ⋉ rtimes ⋊
smile ⌣ frown ⌢ between ≬ approxeq ≊ backsim ∽ eqsim ≂ multimap ⊸ varpropto ∝ bumpeq ≏ circeq ≗ doteqdot ≑ risingdotseq ≓
to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ impliedby ⟸ iff ⟺
longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺ mapsto ↦
longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ rightharpoonup ⇀ rightharpoondown ⇁ leftharpoonup ↼ leftharpoondown ↽
rightleftharpoons ⇌ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ nearrow ↗ searrow ↘ swarrow ↙
nwarrow ↖ leadsto ⇝ leftrightarrows ⇆ rightleftarrows ⇄ rightrightarrows ⇉ leftleftarrows ⇇ upuparrows ⇈ downdownarrows ⇊
twoheadrightarrow ↠ twoheadleftarrow ↞ rightarrowtail ↣ leftarrowtail ↢ leftrightharpoons ⇋ rightsquigarrow ⇝ Rrightarrow ⇛
Lleftarrow ⇚ nrightarrow ↛ nleftarrow ↚ nRightarrow ⇏ nLeftarrow ⇍ nleftrightarrow ↮ nLeftrightarrow ⇎ curvearrowright ↷
curvearrowleft ↶ circlearrowright ↻ circlearrowleft ↺ dashrightarrow ⇢ dashleftarrow ⇠ looparrowright ↬ looparrowleft ↫
infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ emptyset ∅ varnothing ∅ aleph ℵ beth ℶ hbar ℏ ell ℓ
imath ı jmath ȷ wp ℘ Re ℜ Im ℑ angle ∠ measuredangle ∡ triangle △ square □ blacksquare ■ top ⊤ bot ⊥ prime ′ degree °
varkappa ϰ digamma ϝ eth ð complement ∁ Box □ Diamond ◇ lozenge ◊ vartriangle △ triangledown ▽ bigstar ★ mho ℧ Bbbk 𝕜
intercal ⊺ gimel ℷ daleth ℸ Finv Ⅎ blacktriangle ▲ blacklozenge ◆ sphericalangle ∢ eqcirc ≖ bigcirc ◯ bigtriangleup △
bigtriangledown ▽ triangleleft ◁ triangleright ▷ circledast ⊛ circledcirc ⊚ circleddash ⊝ boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡
veebar ⊻ barwedge ⊼ curlyvee ⋎ curlywedge ⋏ Cap ⋒ Cup ⋓ dotplus ∔ divideontimes ⋇ leftthreetimes ⋋ rightthreetimes ⋌ centerdot ⋅
sharp ♯ flat ♭ natural ♮ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ checkmark ✓ surd √ S § P ¶ copyright ©
ldots … dots … dotsc … dotso … dotsb ⋯ dotsm ⋯ dotsi ⋯ cdots ⋯ vdots ⋮ ddots ⋱ therefore ∴ because ∵ colon : backslash \\ lbrace { rbrace }
sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀
biguplus ⨄ bigsqcup ⨆ iiiint ⨌ intop ∫ oiint ∯
langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lvert | rvert | vert | lVert ‖ rVert ‖ Vert ‖ lbrack [ rbrack ]
ulcorner ⌜ urcorner ⌝ llcorner ⌞ lrcorner ⌟ lgroup ⟮ rgroup ⟯ lmoustache ⎰ rmoustache ⎱
`;

const listed = PAIRS.trim().split(/\s+/);

export const SYMBOLS: ReadonlyMap<string, string> = new Map(
  listed.flatMap((name, index) => (index % 2 === 0 ? [[name, listed[index + 1] as string] as const] : [])),
);

/** Functions set upright; Typst has the same names. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min ' +
    'Pr sec sin sinh sup tan tanh'
  ).split(' '),
);

/** Commands with one argument, and the corresponding functions of Typst, the outer first. */
export const CALLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hat: 'hat',
    widehat: 'hat',
    tilde: 'tilde',
    widetilde: 'tilde',
    bar: 'macron',
    vec: 'arrow',
    overrightarrow: 'arrow',
    overleftarrow: 'arrow.l',
    overleftrightarrow: 'arrow.l.r',
    mathring: 'circle',
    dddot: 'dot.triple',
    cancel: 'cancel',
    mathnormal: 'italic',
    dot: 'dot',
    ddot: 'dot.double',
    acute: 'acute',
    grave: 'grave',
    check: 'caron',
    breve: 'breve',
    overline: 'overline',
    underline: 'underline',
    overbrace: 'limits overbrace',
    underbrace: 'limits underbrace',
    overbracket: 'limits overbracket',
    underbracket: 'limits underbracket',
    overparen: 'limits overparen',
    underparen: 'limits underparen',
    mathbf: 'bold upright',
    boldsymbol: 'bold',
    bm: 'bold',
    mathit: 'italic',
    mathrm: 'upright',
    operatornamewithlimits: 'limits',
    mathbb: 'bb',
    mathcal: 'cal',
    mathscr: 'scr',
    mathfrak: 'frak',
    mathsf: 'sans',
    mathtt: 'mono',
  }),
);

/** Spaces, as Typst names them. */
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

/** Vertical bars: Typst would take them for relations, with space around them. */
export const BARS: ReadonlyMap<string, string> = new Map(
  [
    ['normal', '| \\vert', '\\|'],
    ['normal', '\\| \\Vert', '‖'],
    ['opening', '\\lvert', '\\|'],
    ['opening', '\\lVert', '‖'],
    ['closing', '\\rvert', '\\|'],
    ['closing', '\\rVert', '‖'],
  ].flatMap(([role, tokens = '', bar]) =>
    tokens.split(' ').map((token) => [token, `class("${role}", ${bar})`] as const),
  ),
);

/** Commands without a visible effect. */
export const IGNORED: ReadonlySet<string> = new Set(
  'nonumber notag allowbreak nobreak relax strut'.split(' '),
);

/** Commands that apply to the rest of their group, and the corresponding functions of Typst. */
export const SWITCHES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    displaystyle: 'display',
    textstyle: 'inline',
    scriptstyle: 'script',
    scriptscriptstyle: 'sscript',
    rm: 'upright',
    bf: 'bold upright',
    it: 'italic',
    cal: 'cal',
    sf: 'sans',
    tt: 'mono',
  }),
);

/** Commands for text other than upright. */
export const TEXT_STYLES: ReadonlyMap<string, string> = new Map(
  Object.entries({ textbf: 'bold', textit: 'italic', texttt: 'mono', textsf: 'sans' }),
);

/** Commands that enlarge the delimiter behind them. */
export const SIZES: ReadonlyMap<string, string> = new Map(
  Object.entries({ big: '120%', Big: '180%', bigg: '240%', Bigg: '300%' }).flatMap(([name, size]) =>
    ['', 'l', 'r', 'm'].map((side) => [`${name}${side}`, size] as const),
  ),
);

/** Matrices and their delimiters. */
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

/** Environments of several aligned lines. */
export const LINES: ReadonlySet<string> = new Set(
  'align align* aligned alignat alignat* alignedat gather gather* gathered split equation equation* multline multline*'.split(
    ' ',
  ),
);
