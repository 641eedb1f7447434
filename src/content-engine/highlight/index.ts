export { highlight, TOKEN_KINDS, type Token, type TokenKind } from './highlight.ts';
