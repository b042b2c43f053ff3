declare module 'virtual:texts/*' {
  const messages: import('@lingui/core').Messages;
  export default messages;
}
