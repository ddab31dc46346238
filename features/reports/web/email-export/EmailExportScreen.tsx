import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useCan } from '@headwater/accounts/web'
import type { PipelineDetails } from '@headwater/pipelines/contract'
import { isReference } from '@headwater/runs/contract'
import { RunNote } from '@headwater/statuses/web'
import {
  Button,
  ErrorState,
  fieldErrors,
  Form,
  FormActions,
  links,
  message,
  MultiSelect,
  Page,
  PageHeader,
  Panel,
  ScheduledTime,
  ScheduleFields,
  Skeleton,
  SubmitButton,
  TextField,
  TextLink,
  Time,
  Toolbar,
  UnsavedGuard,
} from '@headwater/web-kit'
import { exportDetailsOf, exporterName, type ExportDetails, type ExportStep } from '../../contract/index.ts'
import type { Insight } from '@headwater/insights/contract'
import { exporterKey, saveExporter, useExporter, useExporterRun } from './exporter-client.ts'
import { ViewTabs } from './ViewTabs.tsx'
import styles from './EmailExportScreen.module.css'

/** View EXPORT of an insight: creates, changes and runs the pipeline that sends it by e-mail. */
export default function EmailExportScreen({ insight }: { insight: Insight }) {
  const stored = useExporter(insight)
  // The run belongs to the screen, because every save remounts the form.
  const run = useExporterRun(stored.data)
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
            title="The export cannot be displayed"
            error={stored.error}
            onRetry={() => void stored.refetch()}
          />
        ) : stored.data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <ExportForm
            key={stored.data?.pipeline.version ?? 0}
            insight={insight}
            exporter={stored.data}
            step={step}
            run={run}
            onSaving={setSaving}
          />
        )}
      </div>
    </Page>
  )
}

function stepOf(
  stored: PipelineDetails | null | undefined,
  { saving, failed }: { saving: 'idle' | 'busy' | 'failed'; failed: boolean },
): ExportStep {
  if (failed || saving === 'failed') return 'ERROR'
  if (saving === 'busy') return 'IN_PROGRESS'
  if (stored === undefined) return 'CHECK_IN_PROGRESS'
  return stored === null ? 'PIPELINE_DOES_NOT_EXIST' : 'PIPELINE_EXISTS'
}

const stepTexts: Readonly<Record<ExportStep, string>> = {
  CHECK_IN_PROGRESS: 'Loading the export',
  IN_PROGRESS: 'Saving the export',
  PIPELINE_EXISTS: 'The export is set up',
  PIPELINE_DOES_NOT_EXIST: 'No export yet',
  ERROR: 'The export was not saved',
}

function ExportForm({
  insight,
  exporter,
  step,
  run,
  onSaving,
}: {
  insight: Insight
  exporter: PipelineDetails | null
  step: ExportStep
  run: ReturnType<typeof useExporterRun>
  onSaving: (saving: 'idle' | 'busy' | 'failed') => void
}) {
  const client = useQueryClient()
  const { insightName } = insight
  const canBuild = useCan()('Creator', 'RW', 'Science')
  const [initial] = useState<ExportDetails>(() =>
    exporter === null ? newDetails(insight) : exportDetailsOf(exporter),
  )
  const [form, setForm] = useState(initial)
  const isChanged = JSON.stringify(form) !== JSON.stringify(initial)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const exists = exporter !== null

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
      const saved = await saveExporter(insight, exporter, form)
      onSaving('idle')
      client.setQueryData(exporterKey(insight), saved)
      message(exists ? 'The export has been changed.' : 'The export has been created.')
    } catch (error) {
      onSaving('failed')
      throw error
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
            Sends the tiles of this insight as tables and text in one e-mail, containing only data that both
            you and the last editor can access. The export runs as the pipeline “
            {exporter?.pipeline.name ?? exporterName(`${insightName}.json`)}”.
            {canBuild
              ? null
              : ' Creating and running it requires permission to build pipelines. Ask an administrator.'}
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
              placeholder="Press Enter after each address"
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
              label="Report title"
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
              {exporter !== null && canBuild ? (
                <Button busy={run.busy} onClick={() => void run.start(exporter)}>
                  Send now
                </Button>
              ) : null}
              <SubmitButton disabled={!canBuild}>{exists ? 'Save' : 'Create export'}</SubmitButton>
            </FormActions>
          </Form>
        </div>
      </Panel>
      <UnsavedGuard when={isChanged && canBuild} view="view" />
      {run.job === undefined ? null : <RunNote job={run.job} onClose={run.hide} />}
      {exporter === null ? null : <ExporterPanel exporter={exporter} />}
    </>
  )
}

/** Panel with the tasks and the schedule of the pipeline. */
function ExporterPanel({ exporter: { pipeline, batchConfig } }: { exporter: PipelineDetails }) {
  const [schedule] = pipeline.schedules
  return (
    <Panel
      title={<TextLink href={links.pipeline(pipeline.groupName, pipeline.name)}>{pipeline.name}</TextLink>}
    >
      <ol className={styles.tasks}>
        {batchConfig.tasks.map(({ id, taskName, taskOverrides: { params } }) => (
          <li key={id}>
            <strong>{taskName}</strong>
            <dl>
              {params
                .filter(({ type, value }) => type === 'INPUT' && !isReference(value))
                .map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
            </dl>
          </li>
        ))}
      </ol>
      <p className={styles.saved}>
        Saved by {pipeline.lastChangeBy}, <Time value={pipeline.modifyDate} />
        {schedule === undefined ? null : (
          <>
            . Next e-mail <ScheduledTime value={schedule.nextRun} timeZone={schedule.timeZone} />
          </>
        )}
      </p>
    </Panel>
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
