{{- define "unified.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* Labels that never change, of the pods of a component: (dict "root" $ "component" "api") */}}
{{- define "unified.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "unified.secret" -}}
{{- .Values.secret.name | default (printf "%s-settings" .Release.Name) -}}
{{- end }}

{{- /* What every container has. */}}
{{- define "unified.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - secretRef: { name: {{ include "unified.secret" . }} }
env:
  - { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
  - { name: OPERATOR_PORT, value: '9464' }
  - { name: OPERATOR_HOST, value: 0.0.0.0 }
  - { name: DRAIN_SECONDS, value: {{ .Values.drainSeconds | quote }} }
  {{- range $name, $value := merge (dict) .Values.settings (dict "SANDBOX" "off") }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- /* What every pod has. */}}
{{- define "unified.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* A Deployment of processes of one role: (dict "root" $ "component" "api" "values" .Values.api) */}}
{{- define "unified.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels: {{- include "unified.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  replicas: {{ .values.replicas }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "unified.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "unified.selector" . | nindent 8 }}
      annotations:
        # A change of a Secret that the chart creates restarts the pods. After a change of your own Secret: kubectl rollout restart
        checksum/secret: {{ .root.Values.secret.values | toJson | sha256sum }}
        {{- with .root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "unified.pod" .root | nindent 6 }}
      # Requests and writes that are in progress end within 35 seconds after the drain.
      terminationGracePeriodSeconds: {{ add .root.Values.drainSeconds 45 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "unified.selector" . | nindent 14 }}
      containers:
        - name: {{ .component }}
          {{- include "unified.container" .root | nindent 10 }}
          args: [--role, {{ .component }}]
          ports:
            {{- if eq .component "api" }}
            - { name: http, containerPort: 4000 }
            {{- end }}
            - { name: operator, containerPort: 9464 }
          # The port opens once the database is open and has this release; the first pod of a release may build indexes.
          startupProbe:
            httpGet: { path: /livez, port: operator }
            periodSeconds: 5
            failureThreshold: 120
          livenessProbe:
            httpGet: { path: /livez, port: operator }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: operator }
            periodSeconds: 3
            timeoutSeconds: 3
            failureThreshold: 2
          resources: {{- toYaml .values.resources | nindent 12 }}
{{- end }}
