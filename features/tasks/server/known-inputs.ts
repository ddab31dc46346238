import { isReference } from '@headwater/runs/contract'
import { valueOf, type TaskParam } from '../contract/index.ts'

/**
 * Returns the inputs with a value that is known before the run, by name. References and expressions are excluded.
 * @param isSet returns whether an empty value counts as known. Default: empty values do not count
 */
export function knownInputs(
  params: readonly TaskParam[],
  isSet: (param: TaskParam) => boolean = () => false,
): Record<string, string> {
  const known = params
    .filter(({ type, mode }) => type === 'INPUT' && mode !== 'expression')
    .map((param) => ({ param, value: valueOf(param) }))
    .filter(({ param, value }) => !isReference(value) && (value !== '' || isSet(param)))
  return Object.fromEntries(known.map(({ param, value }) => [param.name, value]))
}
