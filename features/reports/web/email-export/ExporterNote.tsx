import { type ExportedInsight, useExporter } from './exporter-client.ts'

/** Note in the dialog that deletes an insight: the pipeline that sends it by e-mail remains. */
export default function ExporterNote({ insight }: { insight: ExportedInsight }) {
  const exporter = useExporter(insight)
  if (!exporter.data) return null
  return (
    <p>
      {`The pipeline ${exporter.data.pipeline.name} e-mails this insight. Delete it too, or its runs will fail.`}
    </p>
  )
}
