import { useCallback, useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import {
  Button,
  ErrorState,
  fieldErrors,
  Form,
  message,
  Page,
  PageHeader,
  Skeleton,
  UnsavedGuard,
} from '@headwater/web-kit'
import { parseSymbolParameter, type Formula } from '../../contract/index.ts'
import { FormulaEditor } from '../components/FormulaEditor.tsx'
import { FormulaPreview } from '../components/FormulaPreview.tsx'
import styles from '../components/NewSymbol.module.css'
import { completeFormula, type FormulaDraft } from '../formula-draft.ts'
import { symbolText } from '../symbol-text.ts'
import { useFormula, useSaveFormula } from '../symbols-client.ts'
import { addressHref, type SymbolAddress } from '../use-storage-state.ts'

const formId = 'formula'

/** Page that edits a formula. */
export default function FormulaScreen() {
  const { groupName = '' } = useParams()
  const [parameters] = useSearchParams()
  const address = { groupName, symbols: parseSymbolParameter(parameters.get('symbol') ?? '') }
  const { data, error, refetch } = useFormula(address)
  if (error)
    return (
      <Page>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    )
  if (data === undefined)
    return (
      <Page>
        <Skeleton lines={10} />
      </Page>
    )
  return <FormulaForm key={symbolText(address.symbols)} address={address} formula={data} />
}

function FormulaForm({ address, formula: given }: { address: SymbolAddress; formula: Formula }) {
  const navigate = useNavigate()
  const [original] = useState(() => draftOf(given))
  const [draft, setDraft] = useState(original)
  const [column, setColumn] = useState(given.column)
  const [showFaults, setShowFaults] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [refused, setRefused] = useState<unknown>()
  const [isSaved, setSaved] = useState(false)
  const save = useSaveFormula('change')
  const href = addressHref(address)
  useEffect(() => {
    if (isSaved) void navigate(href)
  }, [isSaved, navigate, href])
  const onRefused = useCallback((error: unknown) => setRefused(error), [])
  const errors = { ...fieldErrors(refused), ...fieldErrors(problem) }
  const formula = completeFormula(draft)
  const isChanged = JSON.stringify([draft, column]) !== JSON.stringify([original, given.column])
  const hidden = given.inputs.filter(({ state }) => state === 'FORBIDDEN').map(({ name }) => name)
  const submit = async () => {
    setShowFaults(true)
    if (formula === undefined || column.trim() === '') return
    await save.mutateAsync({ ...formula, ...address, column })
    message('Your changes have been saved')
    setSaved(true)
  }
  return (
    <Page>
      <UnsavedGuard when={isChanged && !isSaved} />
      <PageHeader
        actions={
          <>
            <Button href={href}>Cancel</Button>
            <Button variant="primary" type="submit" form={formId} busy={save.isPending}>
              Save
            </Button>
          </>
        }
      />
      <div className={styles.screen} data-formula>
        <section className={styles.side} aria-label="Formula">
          <h2 className={styles.title}>{symbolText(address.symbols)}</h2>
          <Form id={formId} label="Formula" onSubmit={submit} onError={setProblem}>
            {hidden.length === 0 ? null : (
              <p className={styles.note}>
                You cannot read {hidden.length === 1 ? 'the input' : 'the inputs'} {hidden.join(', ')}. To
                save the formula, choose series that you can read.
              </p>
            )}
            <FormulaEditor
              draft={draft}
              onChange={(next) => {
                setDraft(next)
                setProblem(undefined)
              }}
              column={column}
              onColumn={setColumn}
              showFaults={showFaults}
              errors={errors}
            />
          </Form>
        </section>
        <section className={styles.side} aria-label="Preview">
          <FormulaPreview formula={formula} column={column} onRefused={onRefused} />
        </section>
      </div>
    </Page>
  )
}

function draftOf({ expression, join, inputs }: Formula): FormulaDraft {
  return {
    expression,
    join,
    inputs: inputs.map(({ name, groupName, symbols, column }, index) => ({
      id: index + 1,
      name,
      groupName: groupName ?? null,
      symbol: groupName === undefined ? null : (symbols ?? null),
      column: groupName === undefined ? null : (column ?? null),
    })),
  }
}
