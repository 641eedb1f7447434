export { highlight, type Token, type TokenKind } from './highlight.ts';
