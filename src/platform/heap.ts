import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow to twice the size of the objects that survived the last garbage collection. By default V8 lets it
 * grow fourfold on machines with much memory, which a server next to its database does not have (decision 40).
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=100');
