import { useEffect, useId, useState } from 'react'
import type { Text } from '@codemirror/state'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { ToolProps } from '@headwater/web-kit'
import tool from '../components/Tool.module.css'
import styles from './CodeTool.module.css'
import { jsonProblem } from './json-problem.ts'
import { languageOf } from './languages.ts'
import { TabHint } from './TabHint.tsx'
import { type CursorPosition, TextEditor } from './TextEditor.tsx'
import type { OpenText, TextParts } from './EditedText.tsx'
import { TextTool } from './TextTool.tsx'

/** Pause in typing before the syntax is checked, in milliseconds. */
const settledMs = 250

/** Editor of code and plain text. */
export default function CodeTool(props: ToolProps) {
  return <TextTool {...props} parts={codeParts} />
}

/** Code and plain text as a kind of text. */
export const codeParts: TextParts = { problemOf, render: (open) => <Code {...open} /> }

/** An editor with line numbers, the position of the cursor, and the syntax error of JSON. */
export function Code({ fileName, initial, text, editable, onChange }: OpenText) {
  const language = languageOf(fileName)
  const problem = useProblem(fileName, text)
  const hintId = useId()
  const [position, setPosition] = useState<CursorPosition>({ line: 1, column: 1 })
  return (
    <div className={tool.tool}>
      <TextEditor
        initial={initial}
        language={language}
        label={`Text of ${fileName}`}
        editable={editable}
        isInvalid={problem !== undefined}
        {...(editable ? { describedBy: hintId } : {})}
        onChange={onChange}
        onMove={setPosition}
      />
      <div className={styles.foot}>
        <p className={styles.problem} role="status">
          {problem === undefined ? null : (
            <>
              <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />
              <span>{problem}</span>
            </>
          )}
        </p>
        {editable ? <TabHint id={hintId} /> : null}
        <span>
          Line {position.line}, column {position.column}
        </span>
        <span>{language.name}</span>
      </div>
    </div>
  )
}

function problemOf(fileName: string, text: Text): string | undefined {
  const reason = languageOf(fileName).isJson ? jsonProblem(text.toString()) : undefined
  return reason === undefined ? undefined : `There is an error in the file syntax. ${reason}`
}

/** Returns the syntax error of a text after a pause in typing. */
function useProblem(fileName: string, text: Text): string | undefined {
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setProblem(problemOf(fileName, text)), settledMs)
    return () => clearTimeout(timer)
  }, [fileName, text])
  return problem
}
