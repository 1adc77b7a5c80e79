export const germanWorkspaceTexts = {};
