#!/usr/bin/env node
import {watch} from './cli/watch.mjs';

process.exitCode = await watch(process.argv.slice(2));
