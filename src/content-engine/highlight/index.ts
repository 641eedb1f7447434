export { highlight, type Kind, type Token } from './highlight.ts';
