export const workspaceTexts = {};
