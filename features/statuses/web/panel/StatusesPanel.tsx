import { DetailsMode } from './DetailsMode.tsx'
import { HistoryMode } from './HistoryMode.tsx'
import { MainMode } from './MainMode.tsx'
import { usePanelModes } from './panel-mode.ts'
import { SeeAllMode } from './SeeAllMode.tsx'
import styles from './StatusesPanel.module.css'

/** The statuses panel, with the newest jobs, the details of a job, its earlier runs, and all jobs of a kind. */
export default function StatusesPanel({ onClose }: { onClose?: () => void }) {
  const modes = usePanelModes()
  const { current } = modes
  return (
    <div className={styles.panel}>
      {current.mode === 'MAIN' ? <MainMode modes={modes} onClose={onClose} /> : null}
      {current.mode === 'SEE_ALL' ? <SeeAllMode type={current.type} modes={modes} onClose={onClose} /> : null}
      {current.mode === 'DETAILS' ? (
        <DetailsMode
          key={current.jobId}
          jobId={current.jobId}
          openedAtMs={current.openedAtMs}
          modes={modes}
          onClose={onClose}
        />
      ) : null}
      {current.mode === 'HISTORY' ? <HistoryMode job={current.job} modes={modes} onClose={onClose} /> : null}
    </div>
  )
}
