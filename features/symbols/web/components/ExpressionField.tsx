import { useRef, useState } from 'react'
import { maxExpressionLength, parseExpression } from '@headwater/formula'
import { TextField } from '@headwater/web-kit'
import { insertExpression } from '../formula-draft.ts'
import { FunctionList } from './FunctionList.tsx'
import styles from './NewSymbol.module.css'

/** The expression of a formula, with the functions beside it. Faults appear once the field was edited or left. */
export function ExpressionField(props: {
  text: string
  /** Names of the inputs. */
  names: readonly string[]
  onChange: (text: string) => void
  /** Whether an empty expression is a fault, because the form was sent. */
  showFaults: boolean
  /** What the server refused. */
  refused: string | undefined
}) {
  const { text, names, onChange, showFaults, refused } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const [isTyping, setTyping] = useState(false)
  const [wasLeft, setLeft] = useState(text !== '')
  const [first = 'brent', second = 'wti'] = names
  const isEmpty = text.trim() === ''
  const { fault } = parseExpression(text, names)
  // An expression that is still being typed is not wrong because it ends early.
  const isUnfinished = isTyping && fault?.at === text.length
  const shown = isEmpty || isUnfinished ? undefined : fault
  const isMissing = isEmpty && !isTyping && (wasLeft || showFaults)

  function insert(example: string) {
    const { selectionStart: from, selectionEnd: to } = area.current ?? { selectionStart: 0, selectionEnd: 0 }
    const next = insertExpression(
      text,
      example,
      wasLeft ? { from, to } : { from: text.length, to: text.length },
    )
    onChange(next.text)
    setLeft(true)
    // The caret follows once the field holds the new text.
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(next.caret, next.caret)
    })
  }

  return (
    <div className={styles.expression}>
      <div>
        <TextField
          label="Expression"
          mono
          rows={5}
          areaRef={area}
          maxLength={maxExpressionLength}
          placeholder={`for example ${first} - ${second}`}
          value={text}
          onChange={(next) => {
            setTyping(true)
            onChange(next)
          }}
          onBlur={() => {
            setTyping(false)
            setLeft(true)
          }}
          error={
            isMissing ? 'Write an expression, or insert an example.' : (shown?.message ?? refused ?? null)
          }
        />
        {shown === undefined ? null : (
          <pre className={styles.echo} aria-hidden="true">
            {text.slice(0, shown.at)}
            <mark>{text.slice(shown.at, shown.at + shown.length) || ' '}</mark>
            {text.slice(shown.at + shown.length)}
          </pre>
        )}
      </div>
      <FunctionList inputName={names[0]} onInsert={insert} />
    </div>
  )
}
