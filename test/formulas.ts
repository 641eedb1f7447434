/** LaTeX formulas as authors write them, one per line, by the feature they use. */
const BY_TOPIC: Readonly<Record<string, string>> = {
  plain: String.raw`
E = mc^2
a^2 + b^2 = c^2
f(x) = x * e^{2 pi i \xi x}
score = positives - 0.5 * intermediates - 2*negatives
x_1, x_2, \ldots, x_n
x_{i,j}^{(k)}
2^{10} = 1024
a_{n+1} = a_n + a_{n-1}
y = mx + b
10\,000 \times 3.14
f: X \to Y
x' + y'' = f'(x)
50\% \text{ of } \$100
n! = n \cdot (n-1)!
{}^{14}_{6}\mathrm{C}
x^{y^{z}}
x_a^b{}_c^d
p_{\text{max}}
O(n \log n)
3 < 5 > 2`,
  fractions: String.raw`
\frac{1}{2}
\frac12
\frac{a+b}{c+d}
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
\dfrac{\partial f}{\partial x}
\tfrac{1}{2} + \cfrac{1}{1+\cfrac{1}{x}}
\frac{\frac{a}{b}}{\frac{c}{d}}
\binom{n}{k} = \frac{n!}{k!(n-k)!}
\dbinom{n}{2}
{a \over b}
{n \choose k}
\left.\frac{dy}{dx}\right|_{x=0}
\sqrt{2}
\sqrt[3]{x+1}
\sqrt{1+\sqrt{1+\sqrt{1+x}}}
1/2 + 3/4
\frac{\mathrm{d}y}{\mathrm{d}x}
\genfrac{}{}{0pt}{}{a}{b}`,
  operators: String.raw`
\sum_{i=1}^{n} i = \frac{n(n+1)}{2}
\sum\limits_{i=1}^n a_i
\prod_{k=1}^\infty \left(1 - \frac{1}{k^2}\right)
\int_0^1 x^2\,dx
\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}
\iint_D f(x,y)\,dA
\oint_C \vec{F} \cdot d\vec{r}
\lim_{x \to 0} \frac{\sin x}{x} = 1
\limsup_{n\to\infty} a_n
\max_{x \in X} f(x)
\min_\theta J(\theta)
\operatorname{argmax}_{x} f(x)
\operatorname*{arg\,min}_\theta L(\theta)
\arg\max_{w} p(w)
\sin^2\theta + \cos^2\theta = 1
\log_2 n
\ln(x) + \exp(y)
\gcd(a,b) = 1
\det(A) \neq 0
a \equiv b \pmod{n}
a \bmod n
a \mod n
\Pr[X = x]
\sum_{\substack{i<n\\ j<m}} a_{ij}
\bigcup_{i=1}^n A_i
\bigoplus_{i} V_i
\mathop{\mathrm{softmax}}_i(x)
\lim\nolimits_{x}
\underset{x}{\operatorname{argmin}}\; f(x)
\DeclareMathOperator{\rank}{rank} \rank A
\tan\alpha \cdot \cot\alpha
\dim V = \ker f + \operatorname{im} f`,
  matrices: String.raw`
\begin{pmatrix} a & b \\ c & d \end{pmatrix}
\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}
\begin{vmatrix} a & b \\ c & d \end{vmatrix} = ad - bc
\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}
\begin{Bmatrix} x \\ y \end{Bmatrix}
\begin{Vmatrix} x \\ y \end{Vmatrix}
A = \begin{pmatrix} a_{11} & \cdots & a_{1n} \\ \vdots & \ddots & \vdots \\ a_{m1} & \cdots & a_{mn} \end{pmatrix}
\begin{array}{cc} a & b \\ c & d \end{array}
\left[\begin{array}{cc|c} 1 & 2 & 3 \\ 4 & 5 & 6 \end{array}\right]
\begin{array}{l|r} a & b \\ \hline c & d \end{array}
\left(\begin{smallmatrix} a & b \\ c & d \end{smallmatrix}\right)
\mathbf{x}^\top A \mathbf{x}
\begin{bmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{bmatrix}
\begin{pmatrix} \frac{1}{2} \\ (x, y) \\ a;b \end{pmatrix}
\begin{bmatrix} 1 & & \\ & 1 & \\ & & 1 \end{bmatrix}`,
  lines: String.raw`
\begin{aligned} a &= b + c \\ &= d \end{aligned}
\begin{align} x &= 1 \\ y &= 2 \end{align}
\begin{align*} f(x) &= (x+1)^2 \\ &= x^2 + 2x + 1 \end{align*}
\begin{gather} a = b \\ c = d \end{gather}
\begin{split} a &= b \\ &\quad + c \end{split}
\begin{equation} E = mc^2 \end{equation}
\begin{aligned} \nabla \cdot \mathbf{E} &= \frac{\rho}{\varepsilon_0} \\ \nabla \cdot \mathbf{B} &= 0 \\ \nabla \times \mathbf{E} &= -\frac{\partial \mathbf{B}}{\partial t} \end{aligned}
a = b \\ c = d
\begin{alignedat}{2} x &+ y &&= 1 \\ 2x &- y &&= 3 \end{alignedat}
\begin{multline} a + b \\ + c \end{multline}
\begin{aligned} a &= b \\[6pt] c &= d \end{aligned}
\begin{align} a &= b \tag{1} \\ c &= d \label{eq} \end{align}
\left\{ \begin{aligned} x + y &= 1 \\ x - y &= 2 \end{aligned} \right.
f(x) = \begin{cases} x & x \ge 0 \\ -x & x < 0 \end{cases}
|x| = \begin{cases} x, & \text{if } x \geq 0, \\ -x, & \text{otherwise.} \end{cases}
\begin{cases} a_1x + b_1y = c_1 \\ a_2x + b_2y = c_2 \end{cases}
\begin{dcases} \frac{1}{2} & a \\ 0 & b \end{dcases}
\begin{rcases} a \\ b \end{rcases} \Rightarrow c
\begin{aligned} L &= -\frac{1}{N}\sum_{i=1}^{N} \Big[ y_i \log \hat{y}_i \\ &\quad + (1-y_i)\log(1-\hat{y}_i) \Big] \end{aligned}`,
  text: String.raw`
\text{speed} = \frac{\text{distance}}{\text{time}}
x \text{ if } y \text{ else } z
\text{cost in \$}
\text{a_b}
\text{where $x$ is real}
\textbf{bold} + \textit{italic}
\textrm{roman}\;\texttt{mono}
\mathrm{Var}(X) = \mathbb{E}[X^2] - \mathbb{E}[X]^2
\mathbb{R}^n \subset \mathbb{C}^n
\mathbf{v} \cdot \mathbf{w}
\mathcal{L}(\theta) + \mathscr{F}
\mathfrak{g} \oplus \mathfrak{h}
\mathsf{A} \mathtt{B} \mathit{C}
\boldsymbol{\beta} \bm{\gamma}
\mbox{for all } x
\mathrm{km\,h^{-1}}
\text{Größe } \neq \text{размер}
\rm{d}x
{\bf x} + {\it y}
\text{100\% sure}
\mathnormal{x}
\operatorname{lcm}(a, b)
\text{precision} = \frac{TP}{TP + FP}
\text{MRR} = \text{ARPU} \times \text{customers}
\textcolor{red}{x} + \color{blue} y
\mathrm{H_2O}
\text{}`,
  accents: String.raw`
\hat{x} + \bar{y} + \vec{v} + \tilde{z} + \dot{a} + \ddot{b}
\widehat{xyz} + \widetilde{abc}
\overline{AB} + \underline{cd}
\overrightarrow{AB} + \overleftarrow{CD}
\overbrace{a + b}^{n}
\underbrace{x + y + z}_{\text{three}}
\acute{e} \grave{e} \check{c} \breve{u} \mathring{a}
\overset{!}{=}
\underset{n \to \infty}{\longrightarrow}
\stackrel{\text{def}}{=}
\xrightarrow{f} + \xleftarrow{g}
\xrightarrow[below]{above}
\dddot{x}
\boxed{E = mc^2}
\cancel{x} + \bcancel{y}
\hat{\imath} + \hat{\jmath}
\overleftrightarrow{AB}
\overparen{AB}
\not= \not\in \not\subset
\phantom{x} y
\vec{\mathbf{x}}
\underline{\text{note}}
\bar{x}_n = \frac{1}{n}\sum_{i=1}^n x_i
\not\equiv
\substack{a \\ b}
\sideset{_1^2}{_3^4}\prod`,
  delimiters: String.raw`
\left( \frac{a}{b} \right)
\left[ x \right]
\left\{ x \mid x > 0 \right\}
\left| \frac{x}{y} \right|
\left\| v \right\|
\left\langle u, v \right\rangle
\left\lfloor \frac{n}{2} \right\rfloor
\lceil x \rceil
\big( \Big( \bigg( \Bigg(
\bigl( x + \frac{a}{b} \bigr)
\Bigl[ y \Bigr]
\left. x \right|_{0}^{1}
\langle \psi | \phi \rangle
\|x\|_2
\lvert x \rvert + \lVert y \rVert
\left( a \middle| b \right)
P(A \mid B) = \frac{P(B \mid A) P(A)}{P(B)}
]0, 1[
[0, 1)
(a, b]
\{1, 2, 3\}
\left\lbrace a \right\rbrace
\left(\left(x\right)\right)
\left/ a \right\backslash
f\left(x\right)
\biggl\{ a \biggr\}
\left\uparrow x \right\downarrow
\ulcorner a \urcorner
\lgroup a \rgroup`,
  symbols: String.raw`
\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \vartheta
\Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega
\forall x \in A \; \exists y
A \cup B \cap C \setminus D
A \subseteq B \subsetneq C
a \leq b \geq c \neq d \approx e
p \implies q \iff r
\neg p \land q \lor r
x \mapsto x^2
A \Rightarrow B \Leftarrow C \Leftrightarrow D
\infty, \partial, \nabla, \hbar, \ell
a \cdot b \times c \div d \pm e \mp f
\aleph_0 < 2^{\aleph_0}
a \ll b \gg c
\therefore \because
x \propto y
\angle ABC = 90^\circ
\triangle ABC \cong \triangle DEF
AB \perp CD \parallel EF
\vdash \models \Vdash
a \oplus b \otimes c \odot d
\emptyset \neq \varnothing
\rightleftharpoons \leftrightarrows
\lesssim \gtrsim \leqslant \geqslant
a \asymp b \sim c \simeq d
\nleq \ngeq \nsubseteq
\blacksquare \Box \Diamond
a \star b \ast c \circ d \bullet e
\clubsuit \diamondsuit \heartsuit \spadesuit
\dagger \ddagger \S \P
\Re(z) + \Im(z)
\iff \Longleftrightarrow
x \gets y
\lambda x . x
\hookrightarrow \twoheadrightarrow
\varkappa \digamma \eth
\prec \succ \preceq \succeq
\trianglelefteq
a \wedge b \vee c
\complement A
\vartriangle \lozenge
\nearrow \searrow
\intercal
\preccurlyeq
\mho \Bbbk
\ldots \cdots \vdots \ddots \dots`,
  macros: String.raw`
\newcommand{\R}{\mathbb{R}} x \in \R
\def\half{\frac12} \half + \half
\newcommand{\norm}[1]{\left\lVert #1 \right\rVert} \norm{x}
\R^n
\unknowncommand{x}
\displaystyle \sum_{i=1}^n i
\textstyle \int_0^1
a \quad b \qquad c \, d \; e \: f \! g
a\hspace{1em}b
a~b
x % a comment
\ce{H2O}
\SI{10}{m/s}
\begin{tikzcd} A \end{tikzcd}
\require{cancel} x`,
  applied: String.raw`
\hat{f}(\xi) = \int_{-\infty}^{\infty} f(x) e^{-2\pi i x \xi}\,dx
P(X=k) = \binom{n}{k} p^k (1-p)^{n-k}
\mathcal{N}(x \mid \mu, \sigma^2) = \frac{1}{\sqrt{2\pi\sigma^2}} \exp\left(-\frac{(x-\mu)^2}{2\sigma^2}\right)
\text{softmax}(z)_i = \frac{e^{z_i}}{\sum_{j=1}^{K} e^{z_j}}
\theta_{t+1} = \theta_t - \eta \nabla_\theta J(\theta_t)
\operatorname{Attention}(Q,K,V) = \operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V
i\hbar\frac{\partial}{\partial t}\Psi = \hat{H}\Psi
R_{\mu\nu} - \frac{1}{2} R g_{\mu\nu} = \frac{8\pi G}{c^4} T_{\mu\nu}
\rho\left(\frac{\partial \mathbf{u}}{\partial t} + \mathbf{u}\cdot\nabla\mathbf{u}\right) = -\nabla p + \mu\nabla^2\mathbf{u}
A = P\left(1 + \frac{r}{n}\right)^{nt}
NPV = \sum_{t=0}^{N} \frac{R_t}{(1+i)^t}
F_1 = 2 \cdot \frac{\mathrm{precision} \cdot \mathrm{recall}}{\mathrm{precision} + \mathrm{recall}}
x \cdot y = k
L = \sqrt{x \cdot y}
\Delta x = x_{pool} - \frac{k}{y_{pool} + \Delta y}
\text{APY} = \left(1 + \frac{r}{n}\right)^n - 1
\zeta(s) = \sum_{n=1}^\infty \frac{1}{n^s} = \prod_p \frac{1}{1 - p^{-s}}
H(X) = -\sum_{x} p(x) \log p(x)
\left(\sum_{k=1}^n a_k b_k\right)^2 \leq \left(\sum_{k=1}^n a_k^2\right)\left(\sum_{k=1}^n b_k^2\right)
e^{i\pi} + 1 = 0
\frac{d}{dx}\left[\int_a^x f(t)\,dt\right] = f(x)
\vec{F} = m\vec{a}
pV = nRT
\nabla^2 \phi = \frac{1}{c^2}\frac{\partial^2 \phi}{\partial t^2}
\text{utilization} = \frac{\text{borrowed}}{\text{supplied}} \times 100\%
y_{t} = \beta_0 + \beta_1 x_t + \varepsilon_t
\mathbb{P}\left(\bigcap_{i=1}^n A_i\right) = \prod_{i=1}^n \mathbb{P}(A_i)
d(p,q) = \sqrt{\sum_{i=1}^n (q_i-p_i)^2}
\phi = \frac{1 + \sqrt{5}}{2} \approx 1.618
\text{CTR} = \frac{\text{clicks}}{\text{impressions}} \times 100`,
};

export const FORMULAS: readonly string[] = Object.values(BY_TOPIC).flatMap((lines) =>
  lines.trim().split('\n'),
);
