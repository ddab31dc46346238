import { INTERPOLATIONS, type Interpolation } from '@headwater/charts'
import { choiceLabel } from './choice-label.ts'

/** The most common interpolations. */
const common: readonly Interpolation[] = ['linear', 'monotone', 'stepAfter', 'stepBefore', 'step']

/** Interpolations as choices: the most common ones first, then the others in the order of the specification. */
export const interpolationOptions: readonly { value: Interpolation; label: string }[] = [
  ...common,
  ...INTERPOLATIONS.filter((name) => !common.includes(name)),
].map((value) => ({ value, label: choiceLabel(value) }))
