import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Button,
  call,
  ErrorState,
  fieldErrors,
  Form,
  FormActions,
  message,
  MultiSelect,
  Page,
  PageHeader,
  Panel,
  routeKey,
  ScheduleFields,
  Skeleton,
  SubmitButton,
  TextField,
  Time,
  toastError,
  Toolbar,
} from '@headwater/web-kit'
import {
  executeInsightExport,
  exporterName,
  getInsightExport,
  saveInsightExport,
  type ExportDetails,
  type ExportStep,
  type Insight,
  type StoredExport,
} from '../../contract/index.ts'
import { ViewTabs } from './ViewTabs.tsx'
import styles from './EmailExportScreen.module.css'

/** The view EXPORT of an insight: the pipeline that sends it by e-mail, made here and kept. */
export default function EmailExportScreen({ insight }: { insight: Insight }) {
  const { groupName, insightName } = insight
  const input = { params: { groupName, insightName } }
  const stored = useQuery({
    queryKey: routeKey(getInsightExport, input),
    queryFn: ({ signal }) => call(getInsightExport, input, { signal }),
  })
  const [saving, setSaving] = useState<'idle' | 'busy' | 'failed'>('idle')
  const step = stepOf(stored.data, { saving, failed: stored.error !== null })
  return (
    <Page>
      <PageHeader />
      <Toolbar>
        <ViewTabs view="EXPORT" />
      </Toolbar>
      <div className={styles.column} data-step={step}>
        {stored.error !== null ? (
          <ErrorState
            title="The export cannot be shown"
            error={stored.error}
            onRetry={() => void stored.refetch()}
          />
        ) : stored.data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <ExportForm
            key={stored.data.changed}
            insight={insight}
            stored={stored.data}
            step={step}
            onSaving={setSaving}
          />
        )}
      </div>
    </Page>
  )
}

function stepOf(
  stored: StoredExport | undefined,
  { saving, failed }: { saving: 'idle' | 'busy' | 'failed'; failed: boolean },
): ExportStep {
  if (failed || saving === 'failed') return 'ERROR'
  if (saving === 'busy') return 'IN_PROGRESS'
  if (stored === undefined) return 'CHECK_IN_PROGRESS'
  return stored.pipeline === null ? 'PIPELINE_DOES_NOT_EXIST' : 'PIPELINE_EXISTS'
}

const stepTexts: Readonly<Record<ExportStep, string>> = {
  CHECK_IN_PROGRESS: 'Looking for the export',
  IN_PROGRESS: 'Saving the export',
  PIPELINE_EXISTS: 'The export is kept',
  PIPELINE_DOES_NOT_EXIST: 'No export yet',
  ERROR: 'The export was not saved',
}

function ExportForm({
  insight,
  stored,
  step,
  onSaving,
}: {
  insight: Insight
  stored: StoredExport
  step: ExportStep
  onSaving: (saving: 'idle' | 'busy' | 'failed') => void
}) {
  const client = useQueryClient()
  const { groupName, insightName } = insight
  const params = { groupName, insightName }
  const [form, setForm] = useState<ExportDetails>(stored.pipeline?.payload.details ?? newDetails(insight))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const exists = stored.pipeline !== null

  function set(change: Partial<ExportDetails>) {
    setForm({ ...form, ...change })
    const changed = Object.keys(change)
    setErrors(
      Object.fromEntries(
        Object.entries(errors).filter(([path]) => !changed.some((name) => path.startsWith(name))),
      ),
    )
  }
  const errorOf = (name: string) => Object.entries(errors).find(([path]) => path.startsWith(name))?.[1]

  async function save() {
    onSaving('busy')
    try {
      const saved = await call(saveInsightExport, { params, body: form }, { keep: true })
      onSaving('idle')
      client.setQueryData(routeKey(getInsightExport, { params }), saved)
      message(exists ? 'The export has been changed.' : 'The export has been created.')
    } catch (error) {
      onSaving('failed')
      throw error
    }
  }
  async function run() {
    try {
      await call(executeInsightExport, { params }, { keep: true })
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <>
      <Panel
        title="Export by e-mail"
        note={
          <span role="status" className={styles.step}>
            {stepTexts[step]}
          </span>
        }
      >
        <div className={styles.body}>
          <p className={styles.note}>
            Sends the tiles of this insight as one e-mail, by the pipeline “
            {exporterName(`${insightName}.json`)}”. It is kept with the insight and runs as soon as pipelines
            exist here; until then nothing is sent.
          </p>
          <Form
            label="Export by e-mail"
            onSubmit={save}
            onError={(error) => setErrors(error === undefined ? {} : fieldErrors(error))}
          >
            <MultiSelect
              label="Recipients"
              required
              allowFree
              placeholder="E-mail addresses, Enter after each"
              value={form.recipients}
              options={[]}
              error={errorOf('recipients')}
              onChange={(recipients) => set({ recipients })}
            />
            <TextField
              label="Subject"
              required
              maxLength={200}
              value={form.emailSubject}
              error={errorOf('emailSubject')}
              onChange={(emailSubject) => set({ emailSubject })}
            />
            <TextField
              label="Title of the report"
              required
              maxLength={200}
              value={form.reportTitle}
              error={errorOf('reportTitle')}
              onChange={(reportTitle) => set({ reportTitle })}
            />
            <ScheduleFields
              value={form}
              errors={{ cron: errorOf('cron'), timeZone: errorOf('timeZone') }}
              onChange={set}
            />
            <FormActions>
              {exists ? <Button onClick={() => void run()}>Send now</Button> : null}
              <SubmitButton>{exists ? 'Save' : 'Create export'}</SubmitButton>
            </FormActions>
          </Form>
        </div>
      </Panel>
      {stored.pipeline === null ? null : (
        <Panel title={stored.pipeline.name}>
          <ol className={styles.tasks}>
            {stored.pipeline.tasks.map(({ name, taskName, parameters }) => (
              <li key={name}>
                <strong>{taskName}</strong>
                <dl>
                  {Object.entries(parameters).map(([key, value]) => (
                    <div key={key}>
                      <dt>{key}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </li>
            ))}
          </ol>
          <p className={styles.saved}>
            Saved by {stored.changedBy}, <Time value={stored.changed} />
          </p>
        </Panel>
      )}
    </>
  )
}

function newDetails({ insightName }: Insight): ExportDetails {
  return {
    emailSubject: insightName,
    reportTitle: insightName,
    recipients: [],
    cron: '0 7 * * 1-5',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  }
}
