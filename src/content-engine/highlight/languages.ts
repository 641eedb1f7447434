import {
  C_COMMENT,
  DOUBLE,
  HASH_COMMENT,
  language,
  type Language,
  SINGLE,
  SQL_COMMENT,
  TICKS,
  TRIPLE,
  XML_COMMENT,
} from './syntax.ts';

const curly = (words: string, string = `${DOUBLE}|${SINGLE}`): Language =>
  language({ comment: C_COMMENT, string, words });

const script = curly(
  'abstract any as async await boolean break case catch class const continue debugger declare default delete do else ' +
    'enum export extends false finally for from function if implements import in instanceof interface keyof let new ' +
    'null number of private protected public readonly return satisfies set static string super switch this throw true ' +
    'try type typeof undefined unknown var void while with yield',
  `${DOUBLE}|${SINGLE}|${TICKS}`,
);
const c = curly(
  'auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern ' +
    'false float for friend goto if include inline int long namespace new nullptr operator private protected public ' +
    'register return short signed sizeof static struct switch template this throw true try typedef typename union ' +
    'unsigned using virtual void volatile while define ifdef ifndef endif',
);
const java = curly(
  'abstract as async await base bool boolean break byte case catch char class const continue data default do double ' +
    'else enum extends false final finally float for foreach fun get if implements import in instanceof int interface ' +
    'internal is lateinit let long namespace new null object open out override package private protected public ' +
    'readonly record return sealed set short static string struct super switch synchronized this throw throws true try ' +
    'typeof using val var virtual void volatile when where while with yield',
  `${TRIPLE}|${DOUBLE}|${SINGLE}`,
);
const go = curly(
  'break case chan const continue default defer else fallthrough false for func go goto if import interface map nil ' +
    'package range return select struct switch true type var string int int64 bool error byte any',
  `${DOUBLE}|${SINGLE}|${TICKS}`,
);
const rust = curly(
  'as async await bool break const continue crate dyn else enum extern false fn for i32 i64 if impl in let loop match ' +
    'mod move mut pub ref return self Self static str struct super trait true type u8 u32 u64 unsafe use usize where while',
  DOUBLE,
);
const swift = curly(
  'actor any as associatedtype async await break case catch class continue default defer do else enum extension false ' +
    'final for func guard if import in init inout internal is let nil open override private protocol public return self ' +
    'static struct super switch throw throws true try var weak where while',
  `${TRIPLE}|${DOUBLE}`,
);
const php = language({
  comment: `${C_COMMENT}|${HASH_COMMENT}`,
  string: `${DOUBLE}|${SINGLE}`,
  name: String.raw`\$\w+`,
  words:
    'abstract array as break case catch class clone const continue declare default do echo else elseif empty extends ' +
    'false final finally fn for foreach function global if implements include instanceof interface isset match ' +
    'namespace new null print private protected public readonly require return static switch throw trait true try ' +
    'unset use var while yield',
});
const python = language({
  comment: HASH_COMMENT,
  string: `${TRIPLE}|${DOUBLE}|${SINGLE}`,
  name: String.raw`@[\w.]+`,
  words:
    'and as assert async await break case class continue def del elif else except False finally for from global if ' +
    'import in is lambda match None nonlocal not or pass raise return self True try while with yield',
});
const ruby = language({
  comment: HASH_COMMENT,
  string: `${DOUBLE}|${SINGLE}`,
  name: String.raw`(?<![\w:]):\w+|@\w+`,
  words:
    'alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or ' +
    'raise redo require rescue retry return self super then true undef unless until when while yield',
});
const shell = language({
  comment: HASH_COMMENT,
  string: `${DOUBLE}|${SINGLE}`,
  name: String.raw`\$\{[^}\n]{0,200}\}|\$\w+|(?<=\s)--?[A-Za-z][\w-]*`,
  words:
    'alias case cd curl do docker done echo elif else esac eval exit export fi for function git if in local node npm ' +
    'npx read return set source sudo then trap unset until while yarn',
});
const sql = language({
  comment: SQL_COMMENT,
  string: SINGLE,
  ignoreCase: true,
  words:
    'add all alter and any as asc begin between bigint boolean by cascade case check column commit constraint create ' +
    'cross database default delete desc distinct drop else end exists false foreign from full function grant group ' +
    'having if in index inner insert integer into is join jsonb key left like limit not null offset on or order outer ' +
    'primary references returning right rollback select set table text then timestamp true union unique update using ' +
    'values view when where with',
});
const json = language({
  comment: C_COMMENT,
  name: String.raw`"(?:\\.|[^"\\\n])*"(?=\s*:)`,
  string: DOUBLE,
  words: 'true false null',
});
const yaml = language({
  comment: HASH_COMMENT,
  name: String.raw`^[ \t]*(?:- +)*[\w./$@-]+(?=:(?:\s|$))`,
  string: `${DOUBLE}|${SINGLE}`,
  words: 'true false null yes no on off',
});
const ini = language({
  comment: String.raw`^[ \t]*[#;][^\n]*|(?<=\s)#[^\n]*`,
  name: String.raw`^[ \t]*\[[^\]\n]*\]|^[ \t]*[\w.-]+(?=[ \t]*=)`,
  string: `${DOUBLE}|${SINGLE}`,
  words: 'true false',
});
const markup = language({
  comment: XML_COMMENT,
  keyword: String.raw`<\/?[A-Za-z][\w:.-]*|\/?>`,
  name: String.raw`(?<=\s)[\w:@.-]+(?==)`,
  string: `${DOUBLE}|${SINGLE}`,
});
const css = language({
  comment: C_COMMENT,
  keyword: String.raw`@[\w-]+|![\w-]+`,
  name: String.raw`(?<=[{;\s])[\w-]+(?=\s*:[^:])|--[\w-]+`,
  string: `${DOUBLE}|${SINGLE}`,
});
const graphql = language({
  comment: HASH_COMMENT,
  string: `${TRIPLE}|${DOUBLE}`,
  name: String.raw`\$\w+|@\w+`,
  words:
    'directive enum extend false fragment implements input interface mutation null on query scalar schema subscription true type union',
});
const http = language({
  keyword: String.raw`^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|HTTP\/[\d.]+`,
  name: String.raw`^[A-Za-z-]+(?=:)`,
  string: DOUBLE,
});
const diff = language({
  comment: String.raw`^-[^\n]*`,
  string: String.raw`^\+[^\n]*`,
  name: String.raw`^@@[^\n]*`,
});
const docker = language({
  comment: HASH_COMMENT,
  string: `${DOUBLE}|${SINGLE}`,
  keyword: String.raw`^[ \t]*(?:FROM|RUN|CMD|COPY|ADD|ENV|ARG|EXPOSE|ENTRYPOINT|WORKDIR|USER|VOLUME|LABEL|HEALTHCHECK|SHELL|STOPSIGNAL|ONBUILD|AS)\b`,
  name: String.raw`\$\{[^}\n]{0,200}\}|\$\w+`,
});

const markdown = language({
  comment: XML_COMMENT,
  keyword: String.raw`^#{1,6}(?=\s)[^\n]*|^[ \t]*(?:[-*+]|\d{1,9}[.)])(?=\s)|^[ \t]*(?:>|\x60{3,}|~{3,})[^\n]*|\{%[^\n%]{0,200}%\}`,
  name: String.raw`\]\([^)\n]{0,200}\)`,
  string: String.raw`\x60[^\x60\n]+\x60`,
});
const lua = language({
  comment: String.raw`--\[\[[^]*?(?:\]\]|(?![^]))|--[^\n]*`,
  string: `${DOUBLE}|${SINGLE}`,
  words:
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
});
const perl = language({
  comment: HASH_COMMENT,
  string: `${DOUBLE}|${SINGLE}`,
  name: String.raw`[$@%]\w+`,
  words:
    'and cmp die do else elsif eq foreach for if last local my ne next no not or our package print require return sub ' +
    'undef unless until use while',
});
const r = language({
  comment: HASH_COMMENT,
  string: `${DOUBLE}|${SINGLE}`,
  words:
    'FALSE Inf NA NULL NaN TRUE abstract begin break const do else elseif end export false for function global if import ' +
    'in let library local macro module mutable next nothing repeat return struct true try using while',
});
const haskell = language({
  comment: String.raw`--[^\n]*|\{-[^]*?(?:-\}|(?![^]))`,
  string: DOUBLE,
  words:
    'as case class data deriving do else forall foreign if import in infix infixl infixr instance let module newtype of ' +
    'qualified then type where',
});

const NAMES: readonly (readonly [Language, string])[] = [
  [
    script,
    'javascript js jsx mjs cjs typescript ts tsx mts cts node deno solidity sol dart groovy gradle actionscript',
  ],
  [c, 'c cpp c++ cc cxx h hpp objectivec objective-c objc arduino ino glsl hlsl cuda'],
  [java, 'java kotlin kt kts scala csharp c# cs fsharp vbnet'],
  [go, 'go golang protobuf proto'],
  [rust, 'rust rs zig'],
  [swift, 'swift'],
  [php, 'php'],
  [python, 'python py python3 starlark bazel gdscript nim cython'],
  [ruby, 'ruby rb elixir ex exs crystal'],
  [
    shell,
    'bash sh shell zsh fish console terminal shell-session curl powershell ps ps1 pwsh shellscript batch bat cmd makefile make',
  ],
  [sql, 'sql postgresql postgres pgsql mysql sqlite plsql tsql bigquery cypher'],
  [json, 'json json5 jsonc jsonl ndjson webmanifest'],
  [yaml, 'yaml yml'],
  [
    ini,
    'ini toml properties dotenv env conf cfg editorconfig gitignore systemd hcl tf terraform nginx apache',
  ],
  [
    markup,
    'html htm xml svg vue svelte astro markup xhtml xsl xaml plist rss atom handlebars hbs jinja liquid twig erb',
  ],
  [css, 'css scss sass less stylus postcss'],
  [graphql, 'graphql gql prisma'],
  [http, 'http https rest'],
  [diff, 'diff patch'],
  [docker, 'dockerfile docker containerfile'],
  [markdown, 'markdown md mdx mdown'],
  [lua, 'lua luau'],
  [perl, 'perl pl'],
  [r, 'r julia jl matlab octave'],
  [haskell, 'haskell hs elm purescript'],
];

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  NAMES.flatMap(([one, names]) => names.split(' ').map((name) => [name, one] as const)),
);

export const languageOf = (syntax: string): Language | undefined => BY_NAME.get(syntax.toLowerCase());
