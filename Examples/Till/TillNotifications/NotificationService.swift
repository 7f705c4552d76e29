import AloudKit

nonisolated final class NotificationService: AloudNotificationService {
  override var configuration: AloudConfiguration { .till }
}
