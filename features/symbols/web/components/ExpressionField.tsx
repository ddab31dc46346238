import { useRef, useState } from 'react'
import { maxExpressionLength, parseExpression } from '@headwater/formula'
import { TextField } from '@headwater/web-kit'
import { insertExpression } from '../formula-draft.ts'
import { FunctionList } from './FunctionList.tsx'
import styles from './NewSymbol.module.css'

/** Field for the expression of a formula, with a list of functions. Errors appear after the field was edited or left. */
export function ExpressionField(props: {
  text: string
  /** Names of the inputs. */
  names: readonly string[]
  onChange: (text: string) => void
  /** Whether an empty expression is an error, because the form was submitted. */
  showFaults: boolean
  /** Error of the server. */
  refused: string | undefined
}) {
  const { text, names, onChange, showFaults, refused } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const [isTyping, setTyping] = useState(false)
  const [wasLeft, setLeft] = useState(text !== '')
  const [first = 'brent', second = 'wti'] = names
  const isEmpty = text.trim() === ''
  const { fault } = parseExpression(text, names)
  // While the user types, an expression that ends early is not an error.
  const isUnfinished = isTyping && fault?.at === text.length
  const visibleFault = isEmpty || isUnfinished ? undefined : fault
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
    // Moves the caret after the field has the new text.
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
            isMissing
              ? 'Write an expression, or insert an example.'
              : (visibleFault?.message ?? refused ?? null)
          }
        />
        {visibleFault === undefined ? null : (
          <pre className={styles.echo} aria-hidden="true">
            {text.slice(0, visibleFault.at)}
            <mark>{text.slice(visibleFault.at, visibleFault.at + visibleFault.length) || ' '}</mark>
            {text.slice(visibleFault.at + visibleFault.length)}
          </pre>
        )}
      </div>
      <FunctionList inputName={names[0]} onInsert={insert} />
    </div>
  )
}
