import { ErrorNote, TextLink } from '@headwater/web-kit'
import type { Formula } from '../../contract/index.ts'
import { symbolText } from '../symbol-text.ts'
import { useFormula } from '../symbols-client.ts'
import { addressHref, type SymbolAddress } from '../use-storage-state.ts'
import styles from './FormulaFacts.module.css'

const joinTexts: Record<Formula['join'], string> = {
  INNER: 'Where every input has a value',
  OUTER: 'Where any input has a value; others are empty',
  PREVIOUS: 'Where any input has a value; others keep their last value',
}

/** Expression and inputs of a formula. */
export function FormulaFacts({ address }: { address: SymbolAddress }) {
  const { data, error } = useFormula(address)
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return null
  return (
    <section className={styles.formula} aria-label="Formula">
      <code className={styles.expression}>{data.expression}</code>
      <ul className={styles.inputs}>
        {data.inputs.map((input) => (
          <li key={input.name}>
            <code>{input.name}</code>
            <InputText input={input} />
          </li>
        ))}
      </ul>
      <p className={styles.join}>{joinTexts[data.join]}</p>
    </section>
  )
}

function InputText({ input }: { input: Formula['inputs'][number] }) {
  const { state, groupName, symbols, column } = input
  if (state === 'FORBIDDEN') return <span className={styles.fault}>A series you cannot read: no values</span>
  const text = symbols === undefined ? '' : `${symbolText(symbols)} · ${column ?? ''}`
  if (state === 'MISSING') return <span className={styles.fault}>{text} does not exist: no values</span>
  return <TextLink href={addressHref({ groupName: groupName!, symbols: symbols! })}>{text}</TextLink>
}
