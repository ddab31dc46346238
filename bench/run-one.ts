// Runs one benchmark and sends its figures to the parent process.
import type { Bench } from './figure.ts'

const { default: bench } = (await import(`./${process.argv[2]}`)) as { default: Bench }
const figures = await bench()
process.send?.(figures, undefined, undefined, () => process.exit(0))
