import { INTERPOLATIONS, type Interpolation } from '@headwater/charts'
import { choiceLabel } from './choice-label.ts'

/** The five that charts use most: straight, smooth, and steps that hold a value until the next one or from the last one on. */
const common: readonly Interpolation[] = ['linear', 'monotone', 'stepAfter', 'stepBefore', 'step']

/** Interpolations as choices: the five most used ones first, then the others in the order of the specification. */
export const interpolationOptions: readonly { value: Interpolation; label: string }[] = [
  ...common,
  ...INTERPOLATIONS.filter((name) => !common.includes(name)),
].map((value) => ({ value, label: choiceLabel(value) }))
