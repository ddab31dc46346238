import {
  autocompletion,
  closeCompletion,
  completionStatus,
  type CompletionSource,
} from '@codemirror/autocomplete'
import { sql, StandardSQL } from '@codemirror/lang-sql'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { SqlNames } from './languages.ts'

/** Returns the support of SQL with completion of keywords, tables, their columns, and values. */
export function sqlWithNames({ tables, values }: SqlNames): Extension {
  const source: CompletionSource = (context) => {
    const before = context.matchBefore(/\{\w*/)
    return before === null
      ? null
      : {
          from: before.from,
          options: values.map((label) => ({ label, type: 'variable' })),
          validFor: /^\{\w*$/,
        }
  }
  return [
    sql({ dialect: StandardSQL, schema: tables, upperCaseKeywords: true }),
    StandardSQL.language.data.of({ autocomplete: source }),
    autocompletion({ icons: false }),
    endsWithFocus,
  ]
}

/**
 * Cancels a completion that is not open yet when the editor loses the focus. The library closes only open ones, so the
 * list would open over the field that the user went to.
 */
const endsWithFocus = EditorView.domEventHandlers({
  blur(_event, view) {
    if (completionStatus(view.state) === 'pending') setTimeout(() => closeCompletion(view))
  },
})
