import AloudKit

final class NotificationService: AloudNotificationService {
  override var configuration: AloudConfiguration { .till }
}
