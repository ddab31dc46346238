import { useState } from 'react'
import { useNavigate, useParams, useSearchParams, useLocation } from 'react-router'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconPlayerTrackNext from '@tabler/icons-react/dist/esm/icons/IconPlayerTrackNext.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import { useCan, useSession } from '@headwater/accounts/web'
import type { RouteOutput } from '@headwater/contract'
import { LogLines } from '@headwater/logs/web'
import { GeneratedValues, RunDialogs, startedTexts, usePipelineCalls } from '@headwater/pipelines/web'
import { visibleStatus } from '@headwater/statuses/contract'
import { CopyJobId, dismissAtEnd, endOfRun, runTime } from '@headwater/statuses/web'
import {
  Badge,
  Button,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  GroupLink,
  IconButton,
  links,
  Menu,
  message,
  Page,
  PageHeader,
  Skeleton,
  StatusBadge,
  Tabs,
  TextLink,
  Time,
  toastError,
  useNow,
} from '@headwater/web-kit'
import type { getRun, RunStep } from '../../contract/index.ts'
import { hasEnded, useRefreshRuns, useRunDetails } from '../monitor-client.ts'
import { triggerOfRun } from '../trigger-of-run.ts'
import { Gantt } from './Gantt.tsx'
import styles from './Monitor.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Page with the details of a run: its steps with their attempts, its log and its values. */
export default function RunScreen() {
  const { jobId } = useParams()
  if (jobId !== undefined) return <LoadedRun jobId={jobId} />
  return (
    <Page>
      <EmptyState title="No run chosen" action={<Button href={links.monitor()}>Show runs</Button>}>
        Choose a run from the list to see its details.
      </EmptyState>
    </Page>
  )
}

function LoadedRun({ jobId }: { jobId: string }) {
  const { data, error, refetch } = useRunDetails(jobId)
  if (data === undefined)
    return (
      <Page>
        {error === null ? (
          <Skeleton lines={12} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    )
  return <Run key={jobId} {...data} />
}

function Run({ run, pipeline, steps, canControl }: RouteOutput<typeof getRun>) {
  const can = useCan()
  const { userName } = useSession()
  const navigate = useNavigate()
  const calls = usePipelineCalls()
  const refresh = useRefreshRuns()
  const { tab, step, set } = useRunView()
  const [dialog, setDialog] = useState<'stop' | 'continue'>()
  const isRunning = !hasEnded(run)
  const controls = canControl && can('Creator', 'RW', 'Science')
  const ofVersion = run.version === null ? '' : ` (version ${run.version})`
  const repeat = async (part: { fromNodeId?: string; failedOnly?: boolean }) => {
    const jobId = await calls.repeat(run.jobId, part)
    // A failure can come at once; then the message would contradict the status.
    void dismissAtEnd(message(startedTexts.monitor), endOfRun(jobId))
    refresh()
    void navigate(links.run(jobId))
  }
  const decide = async ({ nodeId }: RunStep, isApproved: boolean) => {
    await calls.decide(run.jobId, { userName, nodeId, isApproved })
    refresh()
  }
  const tabs = [
    { value: 'steps', label: 'Steps', count: steps.length },
    ...(can('Statuses') ? [{ value: 'log', label: 'Log' }] : []),
    ...(run.pipelineId === null ? [] : [{ value: 'values', label: 'Values' }]),
  ]
  const active = tabs.some(({ value }) => value === tab) ? tab : 'steps'
  return (
    <Page aside={<RunFacts run={run} pipeline={pipeline} />} asideLabel="Run">
      <PageHeader
        title={run.name}
        note={<StatusBadge status={visibleStatus(run)} />}
        actions={
          <>
            <CopyJobId jobId={run.jobId} />
            {can('Statuses') ? (
              <IconButton
                label="Open logs"
                icon={<IconFileText {...icon} />}
                onClick={() => window.open(links.logs(run.jobId), '_blank', 'noopener')}
              />
            ) : null}
            {pipeline === null ? null : (
              <Button
                icon={<IconHistory {...icon} />}
                href={links.runHistory(pipeline.groupName, pipeline.name)}
              >
                Last runs
              </Button>
            )}
            {controls && !isRunning && steps.length > 0 ? (
              <Menu
                trigger={<Button icon={<IconRepeat {...icon} />}>Rerun</Button>}
                items={[
                  { label: `All tasks${ofVersion}`, onClick: () => void repeat({}).catch(toastError) },
                  ...(run.status === 'ERROR' || run.status === 'WARN'
                    ? [
                        {
                          label: `Failed tasks${ofVersion}`,
                          onClick: () => void repeat({ failedOnly: true }).catch(toastError),
                        },
                      ]
                    : []),
                ]}
              />
            ) : null}
            {controls && isRunning ? (
              <Button icon={<IconPlayerStop {...icon} />} onClick={() => setDialog('stop')}>
                Stop
              </Button>
            ) : null}
            {controls && steps.some((each) => each.status === 'PAUSED' && !each.isApproval) ? (
              <Button
                variant="primary"
                icon={<IconPlayerTrackNext {...icon} />}
                onClick={() => setDialog('continue')}
              >
                Continue
              </Button>
            ) : null}
          </>
        }
      />
      {run.message === '' ? null : (
        <p className={styles.summary} role="status">
          {run.message.split('\n')[0]}
        </p>
      )}
      <Tabs label="Run" value={active} onChange={(value) => set({ tab: value })} tabs={tabs} />
      {active === 'steps' ? (
        steps.length === 0 ? (
          <p className={styles.note}>This run did not start, so it has no steps.</p>
        ) : (
          <Gantt
            run={run}
            steps={steps}
            selected={step}
            onSelect={(nodeId) => set({ step: nodeId })}
            actions={{
              onDecide: controls
                ? (each, isApproved) => void decide(each, isApproved).catch(toastError)
                : undefined,
              onEdited: refresh,
              onRepeat:
                controls && !isRunning
                  ? ({ nodeId }) => void repeat({ fromNodeId: nodeId }).catch(toastError)
                  : undefined,
            }}
          />
        )
      ) : null}
      {active === 'log' ? <RunLog jobId={run.jobId} isLive={isRunning} /> : null}
      {active === 'values' && run.pipelineId !== null ? (
        <GeneratedValues
          pipelineId={run.pipelineId}
          version={run.version}
          jobId={run.jobId}
          isRunning={isRunning}
        />
      ) : null}
      <RunDialogs
        dialog={dialog}
        run={{ jobId: run.jobId, pipelineId: run.pipelineId ?? undefined }}
        texts="monitor"
        onClose={() => setDialog(undefined)}
        onDone={refresh}
      />
    </Page>
  )
}

function RunLog({ jobId, isLive }: { jobId: string; isLive: boolean }) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <div className={styles.log}>
      {isEmpty ? <p className={styles.note}>This run has no log lines.</p> : null}
      <LogLines jobId={jobId} filter={{}} isLive={isLive} isFollowed={isLive} onEmpty={setEmpty} />
    </div>
  )
}

/** Facts about a run. The link leads to the pipeline by its current name. */
function RunFacts({ run, pipeline }: Pick<RouteOutput<typeof getRun>, 'run' | 'pipeline'>) {
  const now = useNow(1000)
  return (
    <Facts>
      {run.pipelineId === null ? null : (
        <Fact name="Pipeline">
          {pipeline === null ? (
            run.name
          ) : (
            <TextLink
              href={links.pipeline(pipeline.groupName, pipeline.name, run.version ?? 'latest', {
                jobId: run.jobId,
              })}
            >
              {pipeline.name}
            </TextLink>
          )}
        </Fact>
      )}
      {run.version === null ? null : <Fact name="Version">{`v${run.version}`}</Fact>}
      {run.groupName === '' ? null : (
        <Fact name="Group">
          <GroupLink href={links.group(run.groupName)}>{run.groupName}</GroupLink>
        </Fact>
      )}
      <Fact name="Trigger">{triggerOfRun(run)}</Fact>
      <Fact name="Runs as">{run.owner}</Fact>
      <Fact name="Start">
        <Time value={run.startTime} show="datetime" />
      </Fact>
      <Fact name="End">{run.endTime === null ? '—' : <Time value={run.endTime} show="datetime" />}</Fact>
      <Fact name="Run time">{runTime(run.startTime, run.endTime ?? undefined, now)}</Fact>
      {run.tags.length === 0 ? null : (
        <Fact name="Tags">
          <span className={styles.tags}>
            {run.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        </Fact>
      )}
      <Fact name="Job id">
        <code className={styles.code}>{run.jobId}</code>
      </Fact>
    </Facts>
  )
}

/** The tab and the open step, stored in the URL. */
function useRunView() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return {
    tab: search.get('tab') ?? 'steps',
    step: search.get('step') ?? undefined,
    set: (change: { tab?: string; step?: string | undefined }): void => {
      const next = new URLSearchParams(search)
      for (const [name, value] of Object.entries(change))
        if (value === undefined) next.delete(name)
        else next.set(name, value)
      void navigate({ pathname, search: next.toString() }, { replace: true })
    },
  }
}
