import { pino, type Logger } from 'pino';
import type { Config } from './config.ts';

export const createLog = (config: Config): Logger => pino({ level: config.logLevel }, pino.destination(2));
