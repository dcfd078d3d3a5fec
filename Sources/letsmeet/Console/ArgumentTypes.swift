public import ArgumentParser
public import Ledger
public import Planning

/// Types of the modules below that may be typed as arguments.
extension DeliveryState: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
